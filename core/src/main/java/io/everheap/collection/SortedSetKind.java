package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.lifecycle.SortedLifecycle;
import io.everheap.collection.sorted.SortedInfo;
import io.everheap.collection.sorted.SortedVerifier;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableSortedSet}: a sorted map without values. */
final class SortedSetKind implements StructureKind {
  /** The only one. */
  static final SortedSetKind INSTANCE = new SortedSetKind();

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
  public long[] types(Engine engine, long reference) {
    SortedInfo info = SortedInfo.read(engine, reference, headerType());
    return new long[] {info.key(), info.second()};
  }

  @Override
  public boolean[] words(Engine engine, long reference, List<@Nullable String> types) {
    SortedInfo info = SortedInfo.read(engine, reference, headerType());
    return new boolean[] {info.wordKeys()};
  }

  @Override
  public long size(Engine engine, long reference) {
    return SortedMapKind.size(engine, reference, headerType());
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

  /** The elements, each with its position. */
  @Override
  @SuppressWarnings("unchecked") // a codec of what is only looked at as an object
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    Codec<Object> values = (Codec<Object>) (Codec<?>) Codecs.BOOLEAN;
    long[] position = {0};
    return SortedListing.entries(engine, reference, headerType(), codecs.get(0), values)
        .map(entry -> Map.entry(position[0]++, entry.getKey()));
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    new SortedVerifier(engine, findings)
        .verify(reference, headerType(), codecs.get(0), Codecs.BOOLEAN);
  }
}
