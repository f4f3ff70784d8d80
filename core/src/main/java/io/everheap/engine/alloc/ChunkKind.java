package io.everheap.engine.alloc;

/**
 * The kind of a chunk, one byte: 0 is free, 1 to {@value SizeClasses#COUNT} are slots of size class
 * 0 and up. The kinds from {@link #METADATA} on exist only in the table on the Java heap.
 */
final class ChunkKind {
  static final int FREE = 0;

  /** The kind of size class 0. */
  static final int SLOTS = 1;

  /** Runs of pages. */
  static final int PAGES = 100;

  /** The first chunk of a large block. */
  static final int LARGE = 101;

  /** Another chunk of a large block. */
  static final int LARGE_REST = 102;

  /** A chunk that was the first of a large block and has used up its generations. */
  static final int RETIRED = 103;

  /** The first chunk of an extent. */
  static final int METADATA = 120;

  /** At or behind the capacity. */
  static final int BEYOND = 121;

  /** The table entry is damaged; nothing is allocated there. */
  static final int DAMAGED = 122;

  private ChunkKind() {}

  static boolean isSlots(int kind) {
    return kind >= SLOTS && kind < SLOTS + SizeClasses.COUNT;
  }

  static int ofClass(int sizeClass) {
    return SLOTS + sizeClass;
  }

  static int sizeClass(int kind) {
    return kind - SLOTS;
  }

  /** Whether a byte from a chunk table is a kind. */
  static boolean isStorable(int kind) {
    return kind == FREE || isSlots(kind) || (kind >= PAGES && kind <= RETIRED);
  }
}
