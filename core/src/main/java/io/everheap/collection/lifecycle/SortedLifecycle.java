package io.everheap.collection.lifecycle;

import io.everheap.collection.base.Atomic;
import io.everheap.collection.sorted.SortedInfo;
import io.everheap.collection.sorted.SortedLayout;
import io.everheap.collection.sorted.SortedTree;
import io.everheap.collection.sorted.SortedWriter;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;

/** How a sorted map or set comes into being, loses all at once, and goes; each a transaction. */
public final class SortedLifecycle {
  /** Entries that are freed in the transaction that removes them, if they are fewer. */
  private static final long FREE_AT_ONCE = 10_000;

  private SortedLifecycle() {}

  /** Makes an empty one and returns the reference of its header. */
  public static long create(Engine engine, int type, long kinds, long[] types) {
    return Atomic.call(
        engine.transactions(),
        () -> {
          long reference = engine.allocator().allocate(type, SortedLayout.HEADER_BYTES);
          long header = Reference.address(reference);
          HeapMemory memory = engine.memory();
          for (int i = 0; i < types.length; i++) {
            memory.initLong(header + SortedLayout.TYPES + 8L * i, types[i]);
          }
          memory.initLong(header + SortedLayout.KINDS, kinds);
          return reference;
        });
  }

  /** Frees one and all that it holds. */
  public static void destroy(Engine engine, long reference, int type) {
    Atomic.run(
        engine,
        () -> {
          SortedInfo.read(engine, reference, type);
          long header = Reference.address(reference);
          HeapMemory memory = engine.memory();
          dispose(
              engine,
              memory.getLong(header + SortedLayout.ROOT),
              memory.getLong(header + SortedLayout.COUNT));
          engine.allocator().free(SortedLayout.stripe(header), reference, type);
        });
  }

  /** Removes all entries, inside a transaction. */
  public static void clear(Engine engine, SortedTree tree, SortedWriter writer) {
    tree.checkAlive();
    long count = tree.count();
    dispose(engine, writer.takeAll(), count);
  }

  /** Frees the nodes that nothing leads to after the running transaction. */
  private static void dispose(Engine engine, long root, long count) {
    if (root == Reference.NULL) {
      return;
    }
    if (count >= 0 && count <= FREE_AT_ONCE) {
      SortedFreer.INSTANCE.freeAll(engine, root);
    } else {
      new PendingFrees(engine).add(Freers.SORTED, root);
    }
  }
}
