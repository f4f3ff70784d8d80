package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.lifecycle.DequeLifecycle;
import io.everheap.engine.Engine;
import java.util.List;

/** What it takes to make or find a {@link DurableDeque}. */
record DequeDefinition<E>(Codec<E> element, int capacity) implements Definition<DurableDeque<E>> {
  /** Values may be of several versions of their type. */
  DequeDefinition {
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
  public long create(Engine engine, long[] types) {
    return Atomic.call(
        engine.transactions(),
        () -> DequeLifecycle.create(engine, types[0], element instanceof WordCodec));
  }

  @Override
  public DurableDeque<E> attach(Engine engine, long reference) {
    return DurableDeque.attach(engine, reference, NestedCodec.bound(element, engine), capacity);
  }

  @Override
  public DurableDeque<E> dead(Engine engine, long reference) {
    return DurableDeque.dead(engine, reference, element, capacity);
  }
}
