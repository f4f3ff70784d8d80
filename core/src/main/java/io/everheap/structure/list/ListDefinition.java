package io.everheap.structure.list;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.DurableList;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import java.util.List;

/** What it takes to make or find a {@link DurableList}. */
public record ListDefinition<E>(Codec<E> element) implements Definition<DurableList<E>> {
  /** Values may be of several versions of their type. */
  public ListDefinition {
    element = CodecEvolution.versioned(element);
  }

  @Override
  public StructureKind kind() {
    return ListKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(element);
  }

  @Override
  @SuppressWarnings("unchecked") // of the same types
  public Definition<DurableList<E>> with(List<Codec<?>> codecs) {
    return new ListDefinition<>((Codec<E>) codecs.getFirst());
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    return heap.transactions()
        .call(
            () ->
                TreeLifecycle.create(
                    heap, BlockType.LIST_HEADER, types, element instanceof WordCodec));
  }

  @Override
  public DurableList<E> attach(StructureContext heap, long reference) {
    return ListHandle.attach(heap, reference, NestedCodec.bound(element, heap));
  }

  @Override
  public DurableList<E> dead(StructureContext heap, long reference) {
    return ListHandle.dead(heap, reference, element);
  }
}
