package io.everheap.collection.lifecycle;

import io.everheap.collection.base.Blocking;
import io.everheap.collection.base.Damage;
import io.everheap.collection.deque.DequeChunks;
import io.everheap.collection.deque.DequeLayout;
import io.everheap.collection.tree.TreeLayout;
import io.everheap.collection.tree.WordTree;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;

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
  public static long create(Engine engine, long elementType, boolean words) {
    HeapMemory memory = engine.memory();
    long reference = engine.allocator().allocateRaw(BlockType.WORK_QUEUE_HEADER, HEADER_BYTES);
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
   * @throws io.everheap.error.StaleReferenceException if it leads to no block
   * @throws io.everheap.error.CorruptHeapException if it leads to another one
   */
  public static void requireHeader(Engine engine, long reference) {
    Allocator allocator = engine.allocator();
    int type = allocator.type(reference);
    if (type != BlockType.WORK_QUEUE_HEADER || allocator.size(reference) < HEADER_BYTES) {
      throw Damage.at(
          Reference.address(reference),
          "the block " + Reference.describe(reference) + " of type " + type + " is no work queue");
    }
  }

  /** Removes all elements and leases. */
  public static void clear(Engine engine, DequeChunks elements, WordTree leases) {
    DequeLifecycle.clear(engine, elements);
    TreeLifecycle.clear(engine, leases);
    setNext(engine, leases, elements.tail());
  }

  /** Stores the position of the first element that was never leased. */
  public static void setNext(Engine engine, WordTree leases, long position) {
    engine.memory().putLong(leases.stripe(), leases.header() + NEXT, position);
  }

  /** Frees a queue with all it holds. */
  public static void destroy(Engine engine, long reference) {
    requireHeader(engine, reference);
    DequeChunks elements = new DequeChunks(engine, reference, ELEMENTS);
    clear(engine, elements, new WordTree(engine, reference, LEASES));
    DequeLifecycle.free(engine, elements, reference, BlockType.WORK_QUEUE_HEADER);
    Blocking.changed(engine, reference);
  }
}
