package io.everheap.structure.deque;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Blocking;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.PendingFrees;
import io.everheap.structure.common.StructureContext;

/**
 * How deques come into being, lose all at once, and go; inside a transaction. What is large is
 * freed in the background, under a header of its own.
 */
public final class DequeLifecycle {
  /** Where the words of a deque stand in its header, behind the element type. */
  public static final int OFFSET = 16;

  /** Where they stand in the header of what is left of one. */
  static final int REMAINS_OFFSET = 8;

  /** Payload of a header. */
  public static final int HEADER_BYTES = OFFSET - 8 + DequeLayout.BYTES;

  /** Elements that are freed in the transaction that removes them, if they are fewer. */
  private static final long FREE_AT_ONCE = 10_000;

  private DequeLifecycle() {}

  /** Makes a header of an empty deque, and returns its reference. */
  public static long create(StructureContext heap, long elementType, boolean words) {
    HeapMemory memory = heap.memory();
    long reference = heap.allocator().allocateRaw(BlockType.DEQUE_HEADER, HEADER_BYTES);
    long header = Reference.address(reference);
    memory.initLong(header + 8, elementType);
    DequeChunks.init(memory, header + OFFSET, words);
    return reference;
  }

  /**
   * Checks that a reference leads to a deque.
   *
   * @throws io.everheap.error.GoneException if it leads to no block
   * @throws io.everheap.error.CorruptException if it leads to another one
   */
  public static void requireHeader(StructureContext heap, long reference) {
    Allocator allocator = heap.allocator();
    int type = allocator.type(reference);
    if (type != BlockType.DEQUE_HEADER || allocator.size(reference) < HEADER_BYTES) {
      throw Damage.at(
          Reference.address(reference),
          "the block " + Reference.describe(reference) + " of type " + type + " is no deque");
    }
  }

  /** Removes all elements. */
  public static void clear(StructureContext heap, DequeChunks chunks) {
    if (chunks.size() > FREE_AT_ONCE && PendingFrees.tryRun(heap, () -> handOver(heap, chunks))) {
      return;
    }
    while (chunks.size() > 0) {
      chunks.removeLast();
    }
  }

  /** Frees a deque with all it holds. */
  public static void destroy(StructureContext heap, long reference) {
    requireHeader(heap, reference);
    DequeChunks chunks = new DequeChunks(heap, reference, OFFSET);
    clear(heap, chunks);
    free(heap, chunks, reference, BlockType.DEQUE_HEADER);
    Blocking.changed(heap, reference);
  }

  /** Frees the header of a deque that is empty. */
  public static void free(StructureContext heap, DequeChunks chunks, long reference, int type) {
    if (chunks.firstChunk() != Reference.NULL) {
      heap.allocator().free(chunks.stripe(), chunks.firstChunk(), BlockType.DEQUE_CHUNK);
    }
    heap.allocator().free(chunks.stripe(), reference, type);
  }

  private static void handOver(StructureContext heap, DequeChunks chunks) {
    HeapMemory memory = heap.memory();
    long remains = heap.allocator().allocateRaw(BlockType.DEQUE_REMAINS, DequeLayout.BYTES);
    long to = Reference.address(remains) + REMAINS_OFFSET;
    for (int i = 0; i < DequeLayout.BYTES; i += 8) {
      memory.initLong(to + i, memory.getLong(chunks.at() + i));
    }
    new PendingFrees(heap).add(DequeFreer.INSTANCE.number(), remains);
    chunks.forgetAll();
  }
}
