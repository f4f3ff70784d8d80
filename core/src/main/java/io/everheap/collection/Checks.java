package io.everheap.collection;

/** What the numbers in a {@link Shape} must be. */
final class Checks {
  /** Stands for the length of whatever array there is. */
  static final long ANY_LENGTH = -1;

  private Checks() {}

  static void requireLength(long length) {
    if (length < 0) {
      throw new IllegalArgumentException("an array has 0 elements or more, not " + length);
    }
  }

  static void requireCapacity(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a capacity of " + capacity);
    }
  }
}
