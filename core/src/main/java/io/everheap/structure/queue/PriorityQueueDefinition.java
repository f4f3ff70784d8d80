package io.everheap.structure.queue;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.KeyOrder;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.list.TreeLifecycle;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What it takes to make or find a {@link DurablePriorityQueue}.
 *
 * @param order null for the natural one
 */
public record PriorityQueueDefinition<E>(Codec<E> element, @Nullable KeyOrder<? super E> order)
    implements Definition<DurablePriorityQueue<E>> {
  /** Values may be of several versions of their type. */
  public PriorityQueueDefinition {
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
  public long create(StructureContext heap, long[] types) {
    return heap.transactions()
        .call(
            () ->
                TreeLifecycle.create(
                    heap, BlockType.PRIORITY_QUEUE_HEADER, types, element instanceof WordCodec));
  }

  @Override
  public DurablePriorityQueue<E> attach(StructureContext heap, long reference) {
    return PriorityQueueHandle.attach(heap, reference, element, comparator());
  }

  @Override
  public DurablePriorityQueue<E> dead(StructureContext heap, long reference) {
    return PriorityQueueHandle.dead(heap, reference, element, comparator());
  }

  @SuppressWarnings("unchecked") // who compares any E compares these
  private @Nullable Comparator<? super E> comparator() {
    return order == null ? null : (Comparator<? super E>) order.comparator();
  }
}
