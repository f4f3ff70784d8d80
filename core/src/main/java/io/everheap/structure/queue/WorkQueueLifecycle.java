package io.everheap.structure.queue;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Blocking;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.deque.DequeChunks;
import io.everheap.structure.deque.DequeLayout;
import io.everheap.structure.deque.DequeLifecycle;
import io.everheap.structure.list.TreeLayout;
import io.everheap.structure.list.TreeLifecycle;
import io.everheap.structure.list.WordTree;

/**
 * How work queues come into being, lose all at once, and go; inside a transaction.
 *
 * <pre>
 * header
 *   0  block header
 *   8  number of the type of elements
 *  16  words of a deque: the elements
 *  64  words of a tree: the leases
 * 104  next: position of the first element that was never leased
 * </pre>
 */
public final class WorkQueueLifecycle {
  /** Where the words of the deque stand. */
  public static final int ELEMENTS = 16;

  /** Where the words of the tree stand. */
  public static final int LEASES = ELEMENTS + DequeLayout.BYTES;

  /** Where the position stands of the first element that was never leased. */
  public static final int NEXT = LEASES + TreeLayout.BYTES;

  /** Payload of a header. */
  public static final int HEADER_BYTES = NEXT;

  private WorkQueueLifecycle() {}

  /** Makes a header of an empty queue, and returns its reference. */
  public static long create(StructureContext heap, long elementType, boolean words) {
    HeapMemory memory = heap.memory();
    long reference = heap.allocator().allocateRaw(BlockType.WORK_QUEUE_HEADER, HEADER_BYTES);
    long header = Reference.address(reference);
    memory.initLong(header + 8, elementType);
    DequeChunks.init(memory, header + ELEMENTS, words);
    WordTree.init(memory, header + LEASES, true);
    memory.initLong(header + NEXT, 0);
    return reference;
  }

  /**
   * Checks that a reference leads to a work queue.
   *
   * @throws io.everheap.error.GoneException if it leads to no block
   * @throws io.everheap.error.CorruptException if it leads to another one
   */
  public static void requireHeader(StructureContext heap, long reference) {
    Allocator allocator = heap.allocator();
    int type = allocator.type(reference);
    if (type != BlockType.WORK_QUEUE_HEADER || allocator.size(reference) < HEADER_BYTES) {
      throw Damage.at(
          Reference.address(reference),
          "the block " + Reference.describe(reference) + " of type " + type + " is no work queue");
    }
  }

  /** Removes all elements and leases. */
  public static void clear(StructureContext heap, DequeChunks elements, WordTree leases) {
    DequeLifecycle.clear(heap, elements);
    TreeLifecycle.clear(heap, leases);
    setNext(heap, leases, elements.tail());
  }

  /** Stores the position of the first element that was never leased. */
  public static void setNext(StructureContext heap, WordTree leases, long position) {
    heap.memory().putLong(leases.stripe(), leases.header() + NEXT, position);
  }

  /** Frees a queue with all it holds. */
  public static void destroy(StructureContext heap, long reference) {
    requireHeader(heap, reference);
    DequeChunks elements = new DequeChunks(heap, reference, ELEMENTS);
    clear(heap, elements, new WordTree(heap, reference, LEASES));
    DequeLifecycle.free(heap, elements, reference, BlockType.WORK_QUEUE_HEADER);
    Blocking.changed(heap, reference);
  }
}
