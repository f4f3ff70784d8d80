package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableSortedMap;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableSortedMap}. */
public final class SortedMapKind implements StructureKind {
  /** The only one. */
  public static final SortedMapKind INSTANCE = new SortedMapKind();

  private static final List<Part> PARTS =
      List.of(new Part("key", true), new Part("value", true), new Part("order", false));

  private SortedMapKind() {}

  @Override
  public String name() {
    return "sorted map";
  }

  @Override
  public Definition<?> define(ShapeParts parts) {
    return new SortedMapDefinition<>(SortedTypes.of(parts, parts.codec(1), 2));
  }

  @Override
  public int headerType() {
    return BlockType.SORTED_MAP_HEADER;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    SortedInfo info = SortedInfo.read(heap, reference, headerType());
    return new long[] {info.key(), info.second(), info.third()};
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    SortedInfo info = SortedInfo.read(heap, reference, headerType());
    return new boolean[] {info.wordKeys(), info.wordValues()};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return size(heap, reference, headerType());
  }

  static long size(StructureContext heap, long reference, int type) {
    long header = Reference.address(reference);
    return OptimisticReads.of(heap)
        .read(
            new Guard(heap.stripes(), SortedLayout.stripe(header)),
            guard -> {
              SortedInfo.read(heap, reference, type);
              return heap.memory().getLong(header + SortedLayout.COUNT);
            });
  }

  @Override
  public long count(StructureContext heap, long reference) {
    return SortedCopy.count(heap, reference, headerType());
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return SortedCopy.definition(this, original);
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    return SortedCopy.open(heap, reference, original);
  }

  @Override
  public void destroy(StructureContext heap, long reference) {
    SortedLifecycle.destroy(heap, reference, headerType());
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return SortedListing.entries(heap, reference, headerType(), codecs.get(0), codecs.get(1));
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    new SortedVerifier(heap, findings)
        .verify(reference, headerType(), codecs.get(0), codecs.get(1));
  }
}
