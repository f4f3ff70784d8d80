package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedSet;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Definition;
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

/** The kind of {@link DurableSortedSet}: a sorted map without values. */
public final class SortedSetKind implements StructureKind {
  /** The only one. */
  public static final SortedSetKind INSTANCE = new SortedSetKind();

  private static final List<Part> PARTS =
      List.of(new Part("element", true), new Part("order", false));

  private SortedSetKind() {}

  @Override
  public String name() {
    return "sorted set";
  }

  /** An element is its own key. */
  @Override
  public boolean hasKeys() {
    return true;
  }

  @Override
  public Definition<?> define(ShapeParts parts) {
    return new SortedSetDefinition<>(SortedTypes.of(parts, Codecs.BOOLEAN, 1));
  }

  @Override
  public int headerType() {
    return BlockType.SORTED_SET_HEADER;
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
  public boolean isKey(int part) {
    return part == 0;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    SortedInfo info = SortedInfo.read(heap, reference, headerType());
    return new long[] {info.key(), info.second()};
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    SortedInfo info = SortedInfo.read(heap, reference, headerType());
    return new boolean[] {info.wordKeys()};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return SortedMapKind.size(heap, reference, headerType());
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

  /** The elements, each with its position. */
  @Override
  @SuppressWarnings("unchecked") // a codec of what is only looked at as an object
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    Codec<Object> values = (Codec<Object>) (Codec<?>) Codecs.BOOLEAN;
    long[] position = {0};
    return SortedListing.entries(heap, reference, headerType(), codecs.get(0), values)
        .map(entry -> Map.entry(position[0]++, entry.getKey()));
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    new SortedVerifier(heap, findings)
        .verify(reference, headerType(), codecs.get(0), Codecs.BOOLEAN);
  }
}
