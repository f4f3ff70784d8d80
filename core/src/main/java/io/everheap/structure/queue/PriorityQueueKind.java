package io.everheap.structure.queue;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.KeyOrder;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Blocking;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.ValueStore;
import io.everheap.structure.list.ListBulk;
import io.everheap.structure.list.TreeKind;
import io.everheap.structure.list.WordTree;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurablePriorityQueue}. */
public final class PriorityQueueKind extends TreeKind {
  public static final PriorityQueueKind INSTANCE = new PriorityQueueKind();

  private PriorityQueueKind() {
    super(
        "priority queue",
        BlockType.PRIORITY_QUEUE_HEADER,
        new Part("element", true),
        new Part("order", false));
  }

  @Override
  public Definition<?> define(ShapeParts shape) {
    KeyOrder<?> order = shape.count() > 1 ? shape.get(1, KeyOrder.class) : null;
    if (order == null
        && shape.is(0, Class.class)
        && !Comparable.class.isAssignableFrom(shape.get(0, Class.class))) {
      throw new IllegalArgumentException(
          shape.get(0, Class.class).getName() + " is not Comparable: give a KeyOrder");
    }
    return new Definition<>(
        this,
        List.of(shape.plainCodec(0)),
        List.of(order == null ? KeyOrder.NATURAL : order.name()),
        order);
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    return attach(heap, reference, definition.codec(0), comparator(definition));
  }

  <E> PriorityQueueHandle<E> attach(
      StructureContext heap,
      long reference,
      Codec<E> codec,
      @Nullable Comparator<? super E> order) {
    WordTree tree = open(heap, reference, codec);
    return new PriorityQueueHandle<>(heap, reference, tree, codec, order);
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return PriorityQueueHandle.dead(heap, reference, definition.codec(0), comparator(definition));
  }

  @SuppressWarnings("unchecked") // a comparator of the elements, or of what they extend
  private static @Nullable Comparator<Object> comparator(Definition<?> definition) {
    return definition.option() instanceof KeyOrder<?> order
        ? (Comparator<Object>) order.comparator()
        : null;
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    return new QueueCopy(heap, reference, original.types(), original.words(0));
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    super.free(heap, reference);
    Blocking.changed(heap, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return numbered(attach(heap, reference, codecs.getFirst(), null).iterator());
  }

  @Override
  public Iterator<Undecodable> undecodable(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return attach(heap, reference, codecs.getFirst(), null).undecodable();
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    boolean sound = verifyTree(heap, reference, codecs, findings);
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
        if (!isOrdered(value)) {
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

  /** Whether the order of an element is known without the classes of its program. */
  static boolean isOrdered(Object value) {
    return value instanceof Comparable<?> && value.getClass().getName().startsWith("java.");
  }
}
