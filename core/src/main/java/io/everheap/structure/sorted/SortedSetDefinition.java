package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableSortedSet;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import java.util.List;

/** What it takes to make or find a {@link DurableSortedSet}. */
public record SortedSetDefinition<E>(SortedTypes<E, Boolean> of)
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
  public long create(StructureContext heap, long[] types) {
    return SortedLifecycle.create(heap, BlockType.SORTED_SET_HEADER, of.kinds(), types);
  }

  @Override
  public DurableSortedSet<E> attach(StructureContext heap, long reference) {
    return new SortedSetHandle<>(
        SortedMapDefinition.store(heap, reference, BlockType.SORTED_SET_HEADER, of));
  }

  @Override
  public DurableSortedSet<E> dead(StructureContext heap, long reference) {
    return new SortedSetHandle<>(SortedMapDefinition.deadStore(heap, reference, of));
  }
}
