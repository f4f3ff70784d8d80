package io.everheap.structure.array;

import io.everheap.collection.DurableArray;

/**
 * Where the elements of a {@link DurableArray} are in its bytes. Values in cells take one word
 * each, 0 for null. Values that are words come in groups of 64, each after a word whose bits say
 * which of them are there.
 */
public final class ObjectSlots {
  /** In the flags: values are words. */
  static final long WORDS = 0x200;

  private static final int GROUP = 64;
  private static final int GROUP_WORDS = GROUP + 1;

  private ObjectSlots() {}

  /** Bytes of an array of so many elements. */
  static long bytes(long elements, boolean words) {
    return 8 * (words ? elements + (elements + GROUP - 1) / GROUP : elements);
  }

  /** Elements of an array of so many bytes. */
  static long elements(long bytes, boolean words) {
    long all = bytes / 8;
    return words ? all - (all + GROUP_WORDS - 1) / GROUP_WORDS : all;
  }

  /** Offset of the word of an element. */
  static long word(long element, boolean words) {
    return 8 * (words ? element / GROUP * GROUP_WORDS + 1 + element % GROUP : element);
  }

  /** Offset of the word whose bits say which elements of a group are there. */
  static long presence(long element) {
    return 8 * (element / GROUP * GROUP_WORDS);
  }

  /** The bit of an element in it. */
  static long bit(long element) {
    return 1L << element;
  }
}
