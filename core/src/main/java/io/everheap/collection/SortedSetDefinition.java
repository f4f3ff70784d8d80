package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.lifecycle.SortedLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.List;

/** What it takes to make or find a {@link DurableSortedSet}. */
record SortedSetDefinition<E>(SortedTypes<E, Boolean> of)
    implements Definition<DurableSortedSet<E>> {
  @Override
  public StructureKind kind() {
    return SortedSetKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(of.key());
  }

  @Override
  public List<String> types() {
    return List.of(of.key().name(), of.order());
  }

  @Override
  @SuppressWarnings("unchecked") // of the same types
  public Definition<DurableSortedSet<E>> with(List<Codec<?>> codecs) {
    return new SortedSetDefinition<>(of.with((Codec<E>) codecs.getFirst(), of.value()));
  }

  @Override
  public long create(Engine engine, long[] types) {
    return SortedLifecycle.create(engine, BlockType.SORTED_SET_HEADER, of.kinds(), types);
  }

  @Override
  public DurableSortedSet<E> attach(Engine engine, long reference) {
    return new DurableSortedSet<>(
        SortedMapDefinition.store(engine, reference, BlockType.SORTED_SET_HEADER, of));
  }

  @Override
  public DurableSortedSet<E> dead(Engine engine, long reference) {
    return new DurableSortedSet<>(SortedMapDefinition.deadStore(engine, reference, of));
  }
}
