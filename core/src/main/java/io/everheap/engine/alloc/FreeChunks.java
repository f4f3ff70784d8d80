package io.everheap.engine.alloc;

import java.util.Arrays;

/** A bitmap of the chunks that are free and can be taken. Used by the writer only. */
final class FreeChunks {
  private final int shift;
  private final int perExtent;
  private long[][] bits = new long[0][];
  private int[] counts = new int[0];
  private int total;

  /** No extent below this one has a free chunk. */
  private int lowestExtent;

  FreeChunks(int extentShift) {
    this.shift = extentShift - ChunkLayout.CHUNK_SHIFT;
    this.perExtent = 1 << shift;
  }

  boolean isEmpty() {
    return total == 0;
  }

  int size() {
    return total;
  }

  /** Adds an extent without free chunks. */
  void addExtent() {
    int count = bits.length;
    bits = Arrays.copyOf(bits, count + 1);
    bits[count] = new long[(perExtent + 63) >>> 6];
    counts = Arrays.copyOf(counts, count + 1);
  }

  boolean contains(int chunk) {
    return (bits[chunk >>> shift][index(chunk) >>> 6] & bit(chunk)) != 0;
  }

  /** Adds a chunk, which must be missing. Allocates nothing. */
  void add(int chunk) {
    int extent = chunk >>> shift;
    bits[extent][index(chunk) >>> 6] |= bit(chunk);
    counts[extent]++;
    total++;
    lowestExtent = Math.min(lowestExtent, extent);
  }

  /** Removes a chunk, which must be present. */
  void remove(int chunk) {
    int extent = chunk >>> shift;
    bits[extent][index(chunk) >>> 6] &= ~bit(chunk);
    counts[extent]--;
    total--;
  }

  /** The lowest free chunk, or -1. */
  int lowest() {
    return run(1);
  }

  /** The first chunk of the lowest run of free chunks of that length in one extent, or -1. */
  int run(int length) {
    while (lowestExtent < counts.length && counts[lowestExtent] == 0) {
      lowestExtent++;
    }
    for (int extent = lowestExtent; extent < bits.length; extent++) {
      if (counts[extent] >= length) {
        int index = runIn(bits[extent], length);
        if (index >= 0) {
          return (extent << shift) + index;
        }
      }
    }
    return -1;
  }

  /** The number of consecutive free chunks right before a chunk, in one extent. */
  int trailing(int end) {
    int chunk = end - 1;
    while (chunk >= 0 && (chunk >>> shift) == ((end - 1) >>> shift) && contains(chunk)) {
      chunk--;
    }
    return end - 1 - chunk;
  }

  private int runIn(long[] words, int length) {
    int start = next(words, 0, 0);
    while (start + length <= perExtent) {
      int end = next(words, start, -1);
      if (end - start >= length) {
        return start;
      }
      start = next(words, end, 0);
    }
    return -1;
  }

  /** The first index from {@code from} on whose bit differs from that of {@code invert}. */
  private int next(long[] words, int from, long invert) {
    int at = from;
    while (at < perExtent) {
      long rest = (words[at >>> 6] ^ invert) >>> at;
      if (rest != 0) {
        return Math.min(perExtent, at + Long.numberOfTrailingZeros(rest));
      }
      at = (at | 63) + 1;
    }
    return perExtent;
  }

  private int index(int chunk) {
    return chunk & (perExtent - 1);
  }

  private long bit(int chunk) {
    return 1L << index(chunk);
  }
}
