package io.everheap.gc;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import java.util.Arrays;

/**
 * References that are still to be looked at, by the chunks that they lead to, so that one chunk
 * after the other is in the caches of the processor while many references into it are followed.
 *
 * <p>They stand in small blocks of one array; the blocks of a chunk are linked. When the array is
 * as large as it may be, no more can be added.
 *
 * <pre>
 * block
 *  0     next block of the chunk, times 16, plus the number of references in this one
 *  1-15  references
 * </pre>
 */
final class MarkQueue {
  private static final int BLOCK_SHIFT = 4;
  private static final int BLOCK = 1 << BLOCK_SHIFT;
  private static final int COUNT = BLOCK - 1;

  private final int mostBlocks;
  private long[] blocks = new long[BLOCK << 6];

  /** First block of each chunk, or 0; block 0 is never used. */
  private int[] heads;

  /** The chunks that have blocks, in the order in which they got their first. */
  private int[] ring = new int[64];

  private int first;
  private int chunks;
  private int usedBlocks = 1;
  private int free;
  private int taken;

  /**
   * An empty queue.
   *
   * @param most references that it takes, about
   */
  MarkQueue(long capacity, int most) {
    this.heads = new int[Math.toIntExact(capacity >>> HomeLayout.CHUNK_SHIFT) + 1];
    this.mostBlocks = most / COUNT + 3;
  }

  /** Whether more than half of the room is taken. */
  boolean isHalfFull() {
    return taken > mostBlocks / 2;
  }

  /** Adds a reference; false if there is no room. */
  boolean add(long reference) {
    int chunk = (int) (Reference.address(reference) >>> HomeLayout.CHUNK_SHIFT);
    if (chunk >= heads.length) {
      return true; // it leads behind the end: to nothing
    }
    int head = heads[chunk];
    int at = head << BLOCK_SHIFT;
    if (head == 0 || (blocks[at] & COUNT) == COUNT) {
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
    long count = ++blocks[at] & COUNT;
    blocks[at + (int) count] = reference;
    return true;
  }

  private int allocate() {
    int block = free;
    if (block != 0) {
      free = (int) (blocks[block << BLOCK_SHIFT] >>> BLOCK_SHIFT);
    } else if (usedBlocks < mostBlocks) {
      block = usedBlocks++;
      if (block << BLOCK_SHIFT >= blocks.length) {
        blocks = Arrays.copyOf(blocks, 2 * blocks.length);
      }
    }
    if (block != 0) {
      taken++;
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

  /** Takes all references of one chunk: the first block of them, for {@link #drain}; 0 if none. */
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
   * Copies the references of a block that was taken, and frees it.
   *
   * @param references takes them
   * @param from index of the first
   * @return their number in the low 4 bits, and above them the next block
   */
  long drain(int block, long[] references, int from) {
    int at = block << BLOCK_SHIFT;
    long word = blocks[at];
    System.arraycopy(blocks, at + 1, references, from, (int) word & COUNT);
    blocks[at] = (long) free << BLOCK_SHIFT;
    free = block;
    taken--;
    return word;
  }

  /** References that a block has at most. */
  static int most() {
    return COUNT;
  }
}
