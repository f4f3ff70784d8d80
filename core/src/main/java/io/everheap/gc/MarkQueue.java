package io.everheap.gc;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import java.util.Arrays;

/**
 * References that are still to be visited, grouped by the chunk that they lead to: visiting one
 * chunk after the other keeps its blocks in the processor's caches.
 *
 * <p>They are kept in an array of blocks of 16 words; the blocks of a chunk are linked. When the
 * array has its maximum size, {@link #add} refuses.
 *
 * <pre>
 * block
 *  0     next block of the chunk, times 16, plus the number of references in this one
 *  1-15  references
 * </pre>
 *
 * <p>Used by the marking thread.
 */
final class MarkQueue {
  private static final int BLOCK_SHIFT = 4;
  private static final int BLOCK = 1 << BLOCK_SHIFT;

  /** References in a block at most; also the mask of the count in its first word. */
  static final int BLOCK_CAPACITY = BLOCK - 1;

  private final int maxBlocks;
  private long[] blocks = new long[BLOCK << 6];

  /** The first block of each chunk, or 0; block 0 is never used. */
  private int[] heads;

  /** A ring buffer of the chunks that have blocks, in the order of their first reference. */
  private int[] ring = new int[64];

  private int first;
  private int chunks;
  private int usedBlocks = 1;
  private int free;
  private int blocksInUse;

  /**
   * Creates an empty queue.
   *
   * @param capacity of the home image, in bytes
   * @param maxReferences approximate maximum of the references in the queue
   */
  MarkQueue(long capacity, int maxReferences) {
    this.heads = new int[Math.toIntExact(capacity >>> HomeLayout.CHUNK_SHIFT) + 1];
    this.maxBlocks = maxReferences / BLOCK_CAPACITY + 3;
  }

  /** Whether more than half of the blocks are in use. */
  boolean isHalfFull() {
    return blocksInUse > maxBlocks / 2;
  }

  /** Adds a reference; false if there is no room. */
  boolean add(long reference) {
    int chunk = (int) (Reference.address(reference) >>> HomeLayout.CHUNK_SHIFT);
    if (chunk >= heads.length) {
      return true; // behind the end of the snapshot: nothing to visit
    }
    int head = heads[chunk];
    int at = head << BLOCK_SHIFT;
    if (head == 0 || (blocks[at] & BLOCK_CAPACITY) == BLOCK_CAPACITY) {
      int fresh = allocate();
      if (fresh == 0) {
        return false;
      }
      at = fresh << BLOCK_SHIFT;
      blocks[at] = (long) head << BLOCK_SHIFT;
      heads[chunk] = fresh;
      if (head == 0) {
        enqueue(chunk);
      }
    }
    long count = ++blocks[at] & BLOCK_CAPACITY;
    blocks[at + (int) count] = reference;
    return true;
  }

  private int allocate() {
    int block = free;
    if (block != 0) {
      free = (int) (blocks[block << BLOCK_SHIFT] >>> BLOCK_SHIFT);
    } else if (usedBlocks < maxBlocks) {
      block = usedBlocks++;
      if (block << BLOCK_SHIFT >= blocks.length) {
        blocks = Arrays.copyOf(blocks, 2 * blocks.length);
      }
    }
    if (block != 0) {
      blocksInUse++;
    }
    return block;
  }

  private void enqueue(int chunk) {
    if (chunks == ring.length) {
      int[] larger = new int[2 * chunks];
      for (int i = 0; i < chunks; i++) {
        larger[i] = ring[(first + i) & (ring.length - 1)];
      }
      ring = larger;
      first = 0;
    }
    ring[(first + chunks++) & (ring.length - 1)] = chunk;
  }

  /** Removes a chunk and returns its first block, for {@link #drain}; 0 if the queue is empty. */
  int takeChunk() {
    if (chunks == 0) {
      return 0;
    }
    int chunk = ring[first];
    first = (first + 1) & (ring.length - 1);
    chunks--;
    int head = heads[chunk];
    heads[chunk] = 0;
    return head;
  }

  /**
   * Copies the references of a block of a removed chunk, and frees the block.
   *
   * @param references destination
   * @param from index of the first in the destination
   * @return the number of references in the low 4 bits, and above them the next block
   */
  long drain(int block, long[] references, int from) {
    int at = block << BLOCK_SHIFT;
    long word = blocks[at];
    System.arraycopy(blocks, at + 1, references, from, (int) word & BLOCK_CAPACITY);
    blocks[at] = (long) free << BLOCK_SHIFT;
    free = block;
    blocksInUse--;
    return word;
  }
}
