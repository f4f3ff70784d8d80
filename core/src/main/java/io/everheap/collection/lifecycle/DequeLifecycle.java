package io.everheap.collection.lifecycle;

import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.Blocking;
import io.everheap.collection.base.Damage;
import io.everheap.collection.deque.DequeChunks;
import io.everheap.collection.deque.DequeLayout;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;

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
  public static long create(Engine engine, long elementType, boolean words) {
    HeapMemory memory = engine.memory();
    long reference = engine.allocator().allocateRaw(BlockType.DEQUE_HEADER, HEADER_BYTES);
    long header = Reference.address(reference);
    memory.initLong(header + 8, elementType);
    DequeChunks.init(memory, header + OFFSET, words);
    return reference;
  }

  /**
   * Checks that a reference leads to a deque.
   *
   * @throws io.everheap.error.StaleReferenceException if it leads to no block
   * @throws io.everheap.error.CorruptHeapException if it leads to another one
   */
  public static void requireHeader(Engine engine, long reference) {
    Allocator allocator = engine.allocator();
    int type = allocator.type(reference);
    if (type != BlockType.DEQUE_HEADER || allocator.size(reference) < HEADER_BYTES) {
      throw Damage.at(
          Reference.address(reference),
          "the block " + Reference.describe(reference) + " of type " + type + " is no deque");
    }
  }

  /** Removes all elements. */
  public static void clear(Engine engine, DequeChunks chunks) {
    if (chunks.size() > FREE_AT_ONCE && Atomic.tryRun(engine, () -> handOver(engine, chunks))) {
      return;
    }
    while (chunks.size() > 0) {
      chunks.removeLast();
    }
  }

  /** Frees a deque with all it holds. */
  public static void destroy(Engine engine, long reference) {
    requireHeader(engine, reference);
    DequeChunks chunks = new DequeChunks(engine, reference, OFFSET);
    clear(engine, chunks);
    free(engine, chunks, reference, BlockType.DEQUE_HEADER);
    Blocking.changed(engine, reference);
  }

  /** Frees the header of a deque that is empty. */
  static void free(Engine engine, DequeChunks chunks, long reference, int type) {
    if (chunks.firstChunk() != Reference.NULL) {
      engine.allocator().free(chunks.stripe(), chunks.firstChunk(), BlockType.DEQUE_CHUNK);
    }
    engine.allocator().free(chunks.stripe(), reference, type);
  }

  private static void handOver(Engine engine, DequeChunks chunks) {
    HeapMemory memory = engine.memory();
    long remains = engine.allocator().allocateRaw(BlockType.DEQUE_REMAINS, DequeLayout.BYTES);
    long to = Reference.address(remains) + REMAINS_OFFSET;
    for (int i = 0; i < DequeLayout.BYTES; i += 8) {
      memory.initLong(to + i, memory.getLong(chunks.at() + i));
    }
    new PendingFrees(engine).add(Freers.numberOf(DequeFreer.INSTANCE), remains);
    chunks.forgetAll();
  }
}
