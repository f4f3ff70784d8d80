package io.everheap.cache.store;

/** Slots in the order of their sequences, in one word each. */
final class Ages {
  private static final int BITS = 31;

  private Ages() {}

  /** A word that sorts by the upper bits of a sequence that is not larger than another one. */
  static long word(long sequence, int slot, long largest) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(largest) - BITS);
    return sequence >>> shift << Integer.SIZE | slot;
  }

  /** The slot of a word. */
  static int slot(long word) {
    return (int) word;
  }
}
