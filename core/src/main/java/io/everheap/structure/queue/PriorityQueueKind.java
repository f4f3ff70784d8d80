package io.everheap.structure.queue;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.KeyOrder;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Blocking;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.ValueStore;
import io.everheap.structure.list.ListBulk;
import io.everheap.structure.list.ListKind;
import io.everheap.structure.list.TreeLifecycle;
import io.everheap.structure.list.WordTree;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurablePriorityQueue}. */
public final class PriorityQueueKind implements StructureKind {
  public static final PriorityQueueKind INSTANCE = new PriorityQueueKind();

  private static final List<Part> PARTS =
      List.of(new Part("element", true), new Part("order", false));

  private PriorityQueueKind() {}

  @Override
  public String name() {
    return "priority queue";
  }

  @Override
  @SuppressWarnings("unchecked") // shapes are made by typed methods
  public Definition<?> define(ShapeParts parts) {
    KeyOrder<Object> order = parts.count() > 1 ? parts.get(1, KeyOrder.class) : null;
    return new PriorityQueueDefinition<>(parts.codec(0), order);
  }

  @Override
  public int headerType() {
    return BlockType.PRIORITY_QUEUE_HEADER;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    return TreeLifecycle.types(heap, headerType(), "priority queue", reference, 2);
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return OptimisticReads.of(heap)
        .read(TreeLifecycle.guard(heap, reference), guard -> tree(heap, reference).size());
  }

  private WordTree tree(StructureContext heap, long reference) {
    types(heap, reference);
    return new WordTree(heap, reference, TreeLifecycle.offset(2));
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    return new boolean[] {tree(heap, reference).words()};
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new QueueCopy.Queue(this, original.types(), original.words(0));
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    return new QueueCopy(heap, reference, original.types(), original.words(0));
  }

  @Override
  public void destroy(StructureContext heap, long reference) {
    heap.transactions()
        .run(
            () -> {
              TreeLifecycle.destroy(heap, tree(heap, reference), reference, headerType());
              Blocking.changed(heap, reference);
            });
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return ListKind.numbered(
        PriorityQueueHandle.attach(heap, reference, codecs.getFirst(), null).iterator());
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    boolean sound = ListKind.verifyTree(heap, reference, headerType(), 2, codecs, findings);
    Codec<?> codec = codecs.getFirst();
    if (sound && codec != null) {
      WordTree tree = tree(heap, reference);
      if (codec instanceof WordCodec<?> == tree.words()) {
        verifyOrder(heap, reference, tree, codec, findings);
      }
    }
  }

  /** Compares neighbours, if they are in an order that is known here. */
  private void verifyOrder(
      StructureContext heap,
      long reference,
      WordTree tree,
      Codec<?> codec,
      StructureFindings findings) {
    try {
      String order = heap.types().name(types(heap, reference)[1]);
      if (!order.equals(KeyOrder.NATURAL)) {
        return;
      }
      ValueStore<?> values = new ValueStore<>(heap, codec);
      Object before = null;
      for (long i = 0; i < tree.size(); i++) {
        Object value = values.get(tree.get(i));
        if (!(value instanceof Comparable<?>) || !value.getClass().getName().startsWith("java.")) {
          return; // its program knows the order
        }
        if (before != null && ListBulk.compare(null, before, value) < 0) {
          findings.problem(
              "order",
              Reference.address(reference),
              String.valueOf(i),
              "an element of a priority queue is less than the one that comes before it");
          return;
        }
        before = value;
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem("order", Reference.address(reference), null, String.valueOf(e.getMessage()));
    }
  }
}
