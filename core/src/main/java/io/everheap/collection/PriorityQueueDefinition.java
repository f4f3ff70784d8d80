package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What it takes to make or find a {@link DurablePriorityQueue}.
 *
 * @param order null for the natural one
 */
record PriorityQueueDefinition<E>(Codec<E> element, @Nullable KeyOrder<? super E> order)
    implements Definition<DurablePriorityQueue<E>> {
  /** Values may be of several versions of their type. */
  PriorityQueueDefinition {
    element = CodecEvolution.versioned(element);
  }

  @Override
  public StructureKind kind() {
    return PriorityQueueKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(element);
  }

  @Override
  public List<String> types() {
    return List.of(element.name(), order == null ? KeyOrder.NATURAL : order.name());
  }

  @Override
  @SuppressWarnings("unchecked") // of the same types
  public Definition<DurablePriorityQueue<E>> with(List<Codec<?>> codecs) {
    return new PriorityQueueDefinition<>((Codec<E>) codecs.getFirst(), order);
  }

  @Override
  public long create(Engine engine, long[] types) {
    return Atomic.call(
        engine.transactions(),
        () ->
            TreeLifecycle.create(
                engine, BlockType.PRIORITY_QUEUE_HEADER, types, element instanceof WordCodec));
  }

  @Override
  public DurablePriorityQueue<E> attach(Engine engine, long reference) {
    return DurablePriorityQueue.attach(engine, reference, element, comparator());
  }

  @Override
  public DurablePriorityQueue<E> dead(Engine engine, long reference) {
    return DurablePriorityQueue.dead(engine, reference, element, comparator());
  }

  @SuppressWarnings("unchecked") // who compares any E compares these
  private @Nullable Comparator<? super E> comparator() {
    return order == null ? null : (Comparator<? super E>) order.comparator();
  }
}
