package io.everheap.engine.alloc;

/**
 * The size classes of slots, headers included: the multiples of 16 bytes up to 256, then sixteen
 * sizes per doubling up to 8 KiB; and the layout of a chunk that follows from each. Immutable.
 *
 * <p>The numbers of the classes are not in the order of their sizes: the coarse classes, 0 to
 * {@value #COARSE} - 1, have only every second size above 256 bytes, and the fine classes follow.
 * Heaps from before there were fine classes have blocks in coarse slots that would get a fine slot
 * now, so a coarse slot may have any block that does not fit into the next smaller coarse one.
 */
final class SizeClasses {
  /** The number of size classes. */
  static final int COUNT = 96;

  /** The number of coarse classes: eight sizes per doubling. */
  static final int COARSE = 56;

  /** The largest block in a slot, in bytes with its header. */
  static final int MAX_BYTES = 8192;

  /** The offset of the bitmap in a chunk with slots. */
  static final int BITMAP = 64;

  private static final int[] BYTES = new int[COUNT];
  private static final int[] SLOTS = new int[COUNT];
  private static final int[] FIRST = new int[COUNT];

  /** The largest block that is too small for a class, in bytes with its header. */
  private static final int[] BELOW = new int[COUNT];

  /** Factors for which {@code offset * factor >>> 32} is {@code offset / bytes}. */
  private static final long[] INVERSE = new long[COUNT];

  /** The class for each number of 16-byte units. */
  private static final byte[] OF_UNITS = new byte[MAX_BYTES / 16 + 1];

  static {
    int coarse = 0;
    int fine = COARSE;
    int bytes = 0;
    while (bytes < MAX_BYTES) {
      int step = bytes < 128 ? 16 : Integer.highestOneBit(bytes) / 8;
      int half = bytes < 256 ? 0 : step / 2;
      if (half > 0) {
        define(fine++, bytes, bytes + half, bytes);
      }
      define(coarse++, bytes + half, bytes + step, bytes);
      bytes += step;
    }
  }

  private SizeClasses() {}

  /** Defines the class of blocks of more than {@code from} bytes and up to {@code bytes}. */
  private static void define(int sizeClass, int from, int bytes, int below) {
    for (int units = from / 16 + 1; units <= bytes / 16; units++) {
      OF_UNITS[units] = (byte) sizeClass;
    }
    BELOW[sizeClass] = below;
    int slots = (ChunkLayout.CHUNK_BYTES - BITMAP) / bytes;
    int first = firstSlot(slots, bytes);
    while (first + slots * bytes > ChunkLayout.CHUNK_BYTES) {
      slots--;
      first = firstSlot(slots, bytes);
    }
    BYTES[sizeClass] = bytes;
    SLOTS[sizeClass] = slots;
    FIRST[sizeClass] = first;
    INVERSE[sizeClass] = ((1L << 32) + bytes - 1) / bytes;
  }

  /** The offset of the first slot, aligned so that slots span as few cache lines as possible. */
  private static int firstSlot(int slots, int bytes) {
    int end = BITMAP + ((slots + 63) >>> 6) * 8;
    int alignment = Math.min(64, Integer.lowestOneBit(bytes));
    return (end + alignment - 1) & -alignment;
  }

  /** The smallest class for blocks of up to {@link #MAX_BYTES} bytes, header included. */
  static int of(int bytes) {
    return OF_UNITS[(bytes + 15) >>> 4];
  }

  /** The maximum unused space in a slot of the class, for a block of whole words. */
  static int maxSlack(int sizeClass) {
    return BYTES[sizeClass] - BELOW[sizeClass] - Long.BYTES;
  }

  /** Whether a block of this size, header included, may be in a slot of the class. */
  static boolean mayHold(int sizeClass, int bytes) {
    return bytes > BELOW[sizeClass] && bytes <= BYTES[sizeClass];
  }

  /** The size of the class's slots in bytes. */
  static int bytes(int sizeClass) {
    return BYTES[sizeClass];
  }

  /** The number of slots in a chunk. */
  static int slots(int sizeClass) {
    return SLOTS[sizeClass];
  }

  /** The offset of the first slot in a chunk. */
  static int first(int sizeClass) {
    return FIRST[sizeClass];
  }

  /** The factor for which {@code offset * factor >>> 32} is {@code offset} divided by the size. */
  static long inverse(int sizeClass) {
    return INVERSE[sizeClass];
  }

  /** The number of words of a chunk's bitmap. */
  static int words(int sizeClass) {
    return (SLOTS[sizeClass] + 63) >>> 6;
  }

  /** The slot that starts at an offset in its chunk, or -1 if none does. */
  static int slotAt(int sizeClass, int offset) {
    int inside = offset - FIRST[sizeClass];
    int slot = (int) ((inside * INVERSE[sizeClass]) >>> 32);
    return inside >= 0 && slot * BYTES[sizeClass] == inside && slot < SLOTS[sizeClass] ? slot : -1;
  }
}
