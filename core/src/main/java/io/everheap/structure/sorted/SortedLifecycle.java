package io.everheap.structure.sorted;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.PendingFrees;
import io.everheap.structure.common.StructureContext;

/**
 * How a sorted map or set comes into being, loses all at once, and goes; all in the running
 * transaction.
 */
public final class SortedLifecycle {
  /** Entries that are freed in the transaction that removes them, if they are fewer. */
  private static final long FREE_AT_ONCE = 10_000;

  private SortedLifecycle() {}

  /** Makes an empty one and returns the reference of its header. */
  public static long create(StructureContext heap, int type, long kinds, long[] types) {
    long reference = heap.allocator().allocate(type, SortedLayout.HEADER_BYTES);
    long header = Reference.address(reference);
    HeapMemory memory = heap.memory();
    for (int i = 0; i < types.length; i++) {
      memory.initLong(header + SortedLayout.TYPES + 8L * i, types[i]);
    }
    memory.initLong(header + SortedLayout.KINDS, kinds);
    return reference;
  }

  /** Frees one and all that it holds. */
  public static void destroy(StructureContext heap, long reference, int type) {
    SortedInfo.read(heap, reference, type);
    long header = Reference.address(reference);
    HeapMemory memory = heap.memory();
    dispose(
        heap,
        memory.getLong(header + SortedLayout.ROOT),
        memory.getLong(header + SortedLayout.COUNT));
    heap.allocator().free(SortedLayout.stripe(header), reference, type);
  }

  /** Removes all entries, inside a transaction. */
  public static void clear(StructureContext heap, SortedTree tree, SortedWriter writer) {
    tree.checkAlive();
    long count = tree.count();
    dispose(heap, writer.takeAll(), count);
  }

  /** Frees the nodes that nothing leads to after the running transaction. */
  private static void dispose(StructureContext heap, long root, long count) {
    if (root == Reference.NULL) {
      return;
    }
    if (count >= 0 && count <= FREE_AT_ONCE) {
      SortedFreer.INSTANCE.freeAll(heap, root);
    } else {
      new PendingFrees(heap).add(SortedFreer.NUMBER, root);
    }
  }
}
