package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableSortedMap;
import io.everheap.engine.alloc.BlockType;
import io.everheap.error.CorruptHeapException;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import java.util.List;

/** What it takes to make or find a {@link DurableSortedMap}. */
public record SortedMapDefinition<K, V>(SortedTypes<K, V> of)
    implements Definition<DurableSortedMap<K, V>> {
  @Override
  public StructureKind kind() {
    return SortedMapKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(of.key(), of.value());
  }

  @Override
  public List<String> types() {
    return List.of(of.key().name(), of.value().name(), of.order());
  }

  @Override
  @SuppressWarnings("unchecked") // of the same types
  public Definition<DurableSortedMap<K, V>> with(List<Codec<?>> codecs) {
    return new SortedMapDefinition<>(
        of.with((Codec<K>) codecs.getFirst(), (Codec<V>) codecs.getLast()));
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    return SortedLifecycle.create(heap, BlockType.SORTED_MAP_HEADER, of.kinds(), types);
  }

  @Override
  public DurableSortedMap<K, V> attach(StructureContext heap, long reference) {
    return new SortedMapHandle<>(store(heap, reference, BlockType.SORTED_MAP_HEADER, of));
  }

  @Override
  public DurableSortedMap<K, V> dead(StructureContext heap, long reference) {
    return new SortedMapHandle<>(deadStore(heap, reference, of));
  }

  /** A handle to what a header describes, which must be of these types. */
  static <K, V> SortedStore<K, V> store(
      StructureContext heap, long reference, int header, SortedTypes<K, V> types) {
    SortedInfo info = SortedInfo.committed(heap, reference, header);
    if (info.kinds() != types.kinds()) {
      throw new CorruptHeapException(
          "A sorted map or set of "
              + heap.location()
              + " is damaged: its header says 0x"
              + Long.toHexString(info.kinds())
              + " where its types make 0x"
              + Long.toHexString(types.kinds()));
    }
    return new SortedStore<>(heap, reference, info, types);
  }

  /** A handle to what was freed. */
  static <K, V> SortedStore<K, V> deadStore(
      StructureContext heap, long reference, SortedTypes<K, V> types) {
    SortedInfo info = new SortedInfo(types.kinds(), 0, 0, 0);
    return new SortedStore<>(heap, reference, info, types, true);
  }
}
