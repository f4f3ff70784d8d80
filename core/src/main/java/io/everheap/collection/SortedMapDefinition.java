package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Guard;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.lifecycle.SortedLifecycle;
import io.everheap.collection.sorted.SortedInfo;
import io.everheap.collection.sorted.SortedLayout;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.CorruptHeapException;
import java.util.List;

/** What it takes to make or find a {@link DurableSortedMap}. */
record SortedMapDefinition<K, V>(SortedTypes<K, V> of)
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
  public long create(Engine engine, long[] types) {
    return SortedLifecycle.create(engine, BlockType.SORTED_MAP_HEADER, of.kinds(), types);
  }

  @Override
  public DurableSortedMap<K, V> attach(Engine engine, long reference) {
    return new DurableSortedMap<>(store(engine, reference, BlockType.SORTED_MAP_HEADER, of));
  }

  @Override
  public DurableSortedMap<K, V> dead(Engine engine, long reference) {
    return new DurableSortedMap<>(deadStore(engine, reference, of));
  }

  /** A handle to what a header describes, which must be of these types. */
  static <K, V> SortedStore<K, V> store(
      Engine engine, long reference, int header, SortedTypes<K, V> types) {
    SortedInfo info = info(engine, reference, header);
    if (info.kinds() != types.kinds()) {
      throw new CorruptHeapException(
          "A sorted map or set of "
              + engine.location()
              + " is damaged: its header says 0x"
              + Long.toHexString(info.kinds())
              + " where its types make 0x"
              + Long.toHexString(types.kinds()));
    }
    return new SortedStore<>(engine, reference, info, types);
  }

  /** Reads a header without a lock. */
  static SortedInfo info(Engine engine, long reference, int header) {
    int stripe = SortedLayout.stripe(Reference.address(reference));
    return new OptimisticReads(engine.memory(), engine.transactions())
        .read(
            new Guard(engine.transactions().stripes(), stripe),
            guard -> SortedInfo.read(engine, reference, header));
  }

  /** A handle to what was freed. */
  static <K, V> SortedStore<K, V> deadStore(
      Engine engine, long reference, SortedTypes<K, V> types) {
    SortedInfo info = new SortedInfo(types.kinds(), 0, 0, 0);
    return new SortedStore<>(engine, reference, info, types, true);
  }
}
