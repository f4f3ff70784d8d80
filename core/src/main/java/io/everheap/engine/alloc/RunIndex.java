package io.everheap.engine.alloc;

import java.util.Arrays;

/**
 * An index of the chunks with pages by the length of their longest run of free pages. Guarded by
 * the writer lock.
 *
 * <p>When the length changes, the chunk is added under the new length; entries under old lengths
 * are removed when a search meets them. A bit per length keeps a chunk from being added twice.
 */
final class RunIndex {
  /** The length is not known yet; such a chunk is listed under 63. */
  static final int UNKNOWN = -1;

  private static final int LENGTHS = 64;

  private final IntHeap[] byLength = new IntHeap[LENGTHS];
  private long nonEmpty;
  private long[] listed = new long[0];
  private byte[] longest = new byte[0];

  RunIndex() {
    Arrays.setAll(byLength, length -> new IntHeap());
  }

  int longest(int chunk) {
    return chunk < longest.length ? longest[chunk] : 0;
  }

  /** Sets the length of a chunk's longest run; 0 if nothing can or may be allocated there. */
  void put(int chunk, int length) {
    if (chunk >= longest.length) {
      int size = Math.max(chunk + 1, longest.length * 2);
      longest = Arrays.copyOf(longest, size);
      listed = Arrays.copyOf(listed, size);
    }
    longest[chunk] = (byte) length;
    int under = under(length);
    if (under > 0 && (listed[chunk] & (1L << under)) == 0) {
      listed[chunk] |= 1L << under;
      byLength[under].push(chunk);
      nonEmpty |= 1L << under;
    }
  }

  /**
   * The lowest chunk with the shortest run that is long enough, or one whose length is unknown, or
   * -1.
   */
  int find(int length) {
    while (true) {
      long longEnough = nonEmpty & (-1L << length);
      if (longEnough == 0) {
        return -1;
      }
      int under = Long.numberOfTrailingZeros(longEnough);
      int chunk = byLength[under].peek();
      if (under(longest[chunk]) == under) {
        return chunk;
      }
      byLength[under].pop();
      listed[chunk] &= ~(1L << under);
      if (byLength[under].isEmpty()) {
        nonEmpty &= ~(1L << under);
      }
    }
  }

  private static int under(int length) {
    return length == UNKNOWN ? LENGTHS - 1 : length;
  }
}
