package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.lifecycle.WorkQueueLifecycle;
import io.everheap.engine.Engine;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What it takes to make or find a {@link DurableWorkQueue}.
 *
 * @param clock of leases: nanoseconds from 0 on
 */
record WorkQueueDefinition<E>(Codec<E> element, LongSupplier clock)
    implements Definition<DurableWorkQueue<E>> {
  /** Values may be of several versions of their type. */
  WorkQueueDefinition {
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
  public long create(Engine engine, long[] types) {
    return Atomic.call(
        engine.transactions(),
        () -> WorkQueueLifecycle.create(engine, types[0], element instanceof WordCodec));
  }

  @Override
  public DurableWorkQueue<E> attach(Engine engine, long reference) {
    return DurableWorkQueue.attach(engine, reference, NestedCodec.bound(element, engine), clock);
  }

  @Override
  public DurableWorkQueue<E> dead(Engine engine, long reference) {
    return DurableWorkQueue.dead(engine, reference, element, clock);
  }
}
