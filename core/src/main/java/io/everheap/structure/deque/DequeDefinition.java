package io.everheap.structure.deque;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.DurableDeque;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import java.util.List;

/** What it takes to make or find a {@link DurableDeque}. */
public record DequeDefinition<E>(Codec<E> element, int capacity)
    implements Definition<DurableDeque<E>> {
  /** Values may be of several versions of their type. */
  public DequeDefinition {
    element = CodecEvolution.versioned(element);
  }

  @Override
  public StructureKind kind() {
    return DequeKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(element);
  }

  @Override
  @SuppressWarnings("unchecked") // of the same types
  public Definition<DurableDeque<E>> with(List<Codec<?>> codecs) {
    return new DequeDefinition<>((Codec<E>) codecs.getFirst(), capacity);
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    return heap.transactions()
        .call(() -> DequeLifecycle.create(heap, types[0], element instanceof WordCodec));
  }

  @Override
  public DurableDeque<E> attach(StructureContext heap, long reference) {
    return DequeHandle.attach(heap, reference, NestedCodec.bound(element, heap), capacity);
  }

  @Override
  public DurableDeque<E> dead(StructureContext heap, long reference) {
    return DequeHandle.dead(heap, reference, element, capacity);
  }
}
