package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Guard;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.lifecycle.SortedLifecycle;
import io.everheap.collection.sorted.SortedInfo;
import io.everheap.collection.sorted.SortedLayout;
import io.everheap.collection.sorted.SortedVerifier;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableSortedMap}. */
final class SortedMapKind implements StructureKind {
  /** The only one. */
  static final SortedMapKind INSTANCE = new SortedMapKind();

  private static final List<Part> PARTS =
      List.of(new Part("key", true), new Part("value", true), new Part("order", false));

  private SortedMapKind() {}

  @Override
  public String name() {
    return "sorted map";
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
  public long[] types(Engine engine, long reference) {
    SortedInfo info = SortedInfo.read(engine, reference, headerType());
    return new long[] {info.key(), info.second(), info.third()};
  }

  @Override
  public boolean[] words(Engine engine, long reference, List<@Nullable String> types) {
    SortedInfo info = SortedInfo.read(engine, reference, headerType());
    return new boolean[] {info.wordKeys(), info.wordValues()};
  }

  @Override
  public long size(Engine engine, long reference) {
    return size(engine, reference, headerType());
  }

  static long size(Engine engine, long reference, int type) {
    long header = Reference.address(reference);
    return OptimisticReads.of(engine)
        .read(
            new Guard(engine.stripes(), SortedLayout.stripe(header)),
            guard -> {
              SortedInfo.read(engine, reference, type);
              return engine.memory().getLong(header + SortedLayout.COUNT);
            });
  }

  @Override
  public long count(Engine engine, long reference) {
    return SortedCopy.count(engine, reference, headerType());
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return SortedCopy.definition(original);
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    return SortedCopy.open(engine, reference, original);
  }

  @Override
  public void destroy(Engine engine, long reference) {
    SortedLifecycle.destroy(engine, reference, headerType());
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    return SortedListing.entries(engine, reference, headerType(), codecs.get(0), codecs.get(1));
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    new SortedVerifier(engine, findings)
        .verify(reference, headerType(), codecs.get(0), codecs.get(1));
  }
}
