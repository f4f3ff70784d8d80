package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.Undecodable;
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
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of {@link DurableSortedMap} and {@link DurableSortedSet}, a map without values. */
public final class SortedKind extends StructureKind {
  /** The kind of sorted maps. */
  public static final SortedKind MAP =
      new SortedKind(
          "sorted map",
          BlockType.SORTED_MAP_HEADER,
          new Part("key", true),
          new Part("value", true),
          new Part("order", false));

  /** The kind of sorted sets. */
  public static final SortedKind SET =
      new SortedKind(
          "sorted set",
          BlockType.SORTED_SET_HEADER,
          new Part("element", true),
          new Part("order", false));

  private SortedKind(String name, int headerType, Part... parts) {
    super(name, headerType, parts);
  }

  private boolean isSet() {
    return headerType() == BlockType.SORTED_SET_HEADER;
  }

  /** An element of a set is its own key. */
  @Override
  public boolean hasKeys() {
    return true;
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
  public Definition<?> define(ShapeParts shape) {
    return isSet()
        ? definition(SortedTypes.of(shape, Codecs.BOOLEAN, 1))
        : definition(SortedTypes.of(shape, shape.codec(1), 2));
  }

  /** The definition of maps, or of sets, with these types. */
  <S> Definition<S> definition(SortedTypes<?, ?> types) {
    List<Codec<?>> codecs = isSet() ? List.of(types.key()) : List.of(types.key(), types.value());
    return new Definition<>(this, codecs, List.of(types.order()), types);
  }

  /** The types of a definition, whose codecs may be others than when it was made. */
  @SuppressWarnings("unchecked") // codecs of the same Java types
  private SortedTypes<Object, Object> types(Definition<?> definition) {
    SortedTypes<Object, Object> types = definition.option(SortedTypes.class);
    return types.with(definition.codec(0), isSet() ? types.value() : definition.codec(1));
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    return SortedLifecycle.create(heap, headerType(), types(definition).kinds(), types);
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    return handle(SortedStore.attach(heap, reference, headerType(), types(definition)));
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return handle(SortedStore.dead(heap, reference, types(definition)));
  }

  @SuppressWarnings("unchecked") // sets have values of this type
  private <V> Object handle(SortedStore<Object, V> store) {
    return isSet()
        ? new SortedSetHandle<>((SortedStore<Object, Boolean>) store)
        : new SortedMapHandle<>(store);
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    SortedLifecycle.destroy(heap, reference, headerType());
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    SortedInfo info = info(heap, reference);
    return isSet()
        ? new long[] {info.key(), info.second()}
        : new long[] {info.key(), info.second(), info.third()};
  }

  private SortedInfo info(StructureContext heap, long reference) {
    return SortedInfo.read(heap, reference, headerType());
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    SortedInfo info = info(heap, reference);
    return isSet()
        ? new boolean[] {info.wordKeys()}
        : new boolean[] {info.wordKeys(), info.wordValues()};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    int stripe = SortedLayout.stripe(Reference.address(reference));
    return OptimisticReads.of(heap)
        .read(new Guard(heap.stripes(), stripe), guard -> count(heap, reference));
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  public long count(StructureContext heap, long reference) {
    info(heap, reference); // throws if it is no header
    return heap.memory().getLong(Reference.address(reference) + SortedLayout.COUNT);
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return definition(SortedCopy.types(original, null));
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    return new SortedCopy(heap, reference, original);
  }

  /** The entries of a map; of a set, the elements with their positions. */
  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    if (!isSet()) {
      return SortedListing.entries(heap, reference, headerType(), codecs.get(0), codecs.get(1));
    }
    return numbered(
        SortedListing.entries(heap, reference, headerType(), codecs.get(0), filler())
            .map(Map.Entry::getKey)
            .iterator());
  }

  /** The codec of the filler values in the map that a set is made of. */
  @SuppressWarnings("unchecked") // its values are only looked at as objects
  private static Codec<Object> filler() {
    return (Codec<Object>) (Codec<?>) Codecs.BOOLEAN;
  }

  @Override
  public Iterator<Undecodable> undecodable(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return SortedListing.undecodable(
        heap, reference, headerType(), codecs.get(0), isSet() ? filler() : codecs.get(1), !isSet());
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    new SortedVerifier(heap, findings)
        .verify(reference, headerType(), codecs.get(0), isSet() ? Codecs.BOOLEAN : codecs.get(1));
  }
}
