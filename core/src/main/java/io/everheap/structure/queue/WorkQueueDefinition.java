package io.everheap.structure.queue;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What it takes to make or find a {@link DurableWorkQueue}.
 *
 * @param clock of leases: nanoseconds from 0 on
 */
public record WorkQueueDefinition<E>(Codec<E> element, LongSupplier clock)
    implements Definition<DurableWorkQueue<E>> {
  /** Values may be of several versions of their type. */
  public WorkQueueDefinition {
    element = CodecEvolution.versioned(element);
  }

  @Override
  public StructureKind kind() {
    return WorkQueueKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(element);
  }

  @Override
  @SuppressWarnings("unchecked") // of the same types
  public Definition<DurableWorkQueue<E>> with(List<Codec<?>> codecs) {
    return new WorkQueueDefinition<>((Codec<E>) codecs.getFirst(), clock);
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    return heap.transactions()
        .call(() -> WorkQueueLifecycle.create(heap, types[0], element instanceof WordCodec));
  }

  @Override
  public DurableWorkQueue<E> attach(StructureContext heap, long reference) {
    return WorkQueueHandle.attach(heap, reference, NestedCodec.bound(element, heap), clock);
  }

  @Override
  public DurableWorkQueue<E> dead(StructureContext heap, long reference) {
    return WorkQueueHandle.dead(heap, reference, element, clock);
  }
}
