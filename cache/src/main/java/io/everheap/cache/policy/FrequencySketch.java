package io.everheap.cache.policy;

import io.everheap.cache.format.Mix;

/**
 * How often hashes were seen lately: a count-min sketch of four counters of 4 bits for each hash,
 * all of which are halved after a number of additions (Einziger, Friedman, Manes: TinyLFU, 2017).
 * Guarded by the cache's lock.
 */
final class FrequencySketch {
  private static final long ONE = 0x1111_1111_1111_1111L;
  private static final long RESET = 0x7777_7777_7777_7777L;
  private static final int LEAST = 256;
  private static final int ROWS = 4;

  private long[] table = new long[LEAST];
  private int additions;

  /** Bytes of memory that the table takes. */
  long bytes() {
    return (long) table.length * Long.BYTES;
  }

  /** Prepares for a number of entries. */
  void ensure(int entries) {
    while (table.length < entries) {
      long[] wider = new long[2 * table.length];
      System.arraycopy(table, 0, wider, 0, table.length);
      System.arraycopy(table, 0, wider, table.length, table.length);
      table = wider;
    }
  }

  /** The estimate for a hash, 0 to 15. */
  int frequency(long hash) {
    int least = 15;
    for (int row = 0; row < ROWS; row++) {
      long h = row(hash, row);
      least = Math.min(least, (int) (table[index(h)] >>> shift(h)) & 15);
    }
    return least;
  }

  /** Counts a hash. */
  void increment(long hash) {
    boolean added = false;
    for (int row = 0; row < ROWS; row++) {
      long h = row(hash, row);
      int i = index(h);
      int shift = shift(h);
      if ((table[i] >>> shift & 15) < 15) {
        table[i] += 1L << shift;
        added = true;
      }
    }
    if (added && ++additions >= 10L * table.length) {
      halve();
    }
  }

  private void halve() {
    int odd = 0;
    for (int i = 0; i < table.length; i++) {
      odd += Long.bitCount(table[i] & ONE);
      table[i] = table[i] >>> 1 & RESET;
    }
    additions = (additions - odd / ROWS) / 2;
  }

  private static long row(long hash, int row) {
    return Mix.mix(hash + row * 0x9E37_79B9_7F4A_7C15L);
  }

  private int index(long h) {
    return (int) h & table.length - 1;
  }

  private static int shift(long h) {
    return (int) (h >>> 60) << 2;
  }
}
