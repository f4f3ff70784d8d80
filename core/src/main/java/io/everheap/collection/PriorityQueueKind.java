package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.Blocking;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.base.ValueStore;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.collection.tree.ListBulk;
import io.everheap.collection.tree.WordTree;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurablePriorityQueue}. */
final class PriorityQueueKind implements StructureKind {
  static final PriorityQueueKind INSTANCE = new PriorityQueueKind();

  private static final List<Part> PARTS =
      List.of(new Part("element", true), new Part("order", false));

  private PriorityQueueKind() {}

  @Override
  public String name() {
    return "priority queue";
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
  public long[] types(Engine engine, long reference) {
    return TreeLifecycle.types(engine, headerType(), "priority queue", reference, 2);
  }

  @Override
  public long size(Engine engine, long reference) {
    return OptimisticReads.of(engine)
        .read(TreeLifecycle.guard(engine, reference), guard -> tree(engine, reference).size());
  }

  private WordTree tree(Engine engine, long reference) {
    types(engine, reference);
    return new WordTree(engine, reference, TreeLifecycle.offset(2));
  }

  @Override
  public boolean[] words(Engine engine, long reference, List<@Nullable String> types) {
    return new boolean[] {tree(engine, reference).words()};
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new QueueCopy.Queue(original.types(), original.words(0));
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    return new QueueCopy(engine, reference, original.types(), original.words(0));
  }

  @Override
  public void destroy(Engine engine, long reference) {
    Atomic.run(
        engine.transactions(),
        () -> {
          TreeLifecycle.destroy(engine, tree(engine, reference), reference, headerType());
          Blocking.changed(engine, reference);
        });
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    return ListKind.numbered(
        DurablePriorityQueue.attach(engine, reference, codecs.getFirst(), null).iterator());
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    boolean sound = ListKind.verifyTree(engine, reference, headerType(), 2, codecs, findings);
    Codec<?> codec = codecs.getFirst();
    if (sound && codec != null) {
      WordTree tree = tree(engine, reference);
      if (codec instanceof WordCodec<?> == tree.words()) {
        verifyOrder(engine, reference, tree, codec, findings);
      }
    }
  }

  /** Compares neighbours, if they are in an order that is known here. */
  private void verifyOrder(
      Engine engine, long reference, WordTree tree, Codec<?> codec, StructureFindings findings) {
    try {
      String order = new TypeTable(engine).name(types(engine, reference)[1]);
      if (!order.equals(KeyOrder.NATURAL)) {
        return;
      }
      ValueStore<?> values = new ValueStore<>(engine, codec);
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
