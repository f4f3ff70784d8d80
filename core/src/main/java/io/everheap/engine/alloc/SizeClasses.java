package io.everheap.engine.alloc;

/**
 * The block sizes of slot chunks, header included: steps of 16 bytes up to 128, then eight sizes
 * per doubling up to 8 KiB, and what follows from them for the layout of a chunk.
 */
final class SizeClasses {
  /** The number of size classes. */
  static final int COUNT = 56;

  /** The largest block in a slot, in bytes with its header. */
  static final int MAX_BYTES = 8192;

  /** The offset of the bitmap in a chunk with slots. */
  static final int BITMAP = 64;

  private static final int[] BYTES = new int[COUNT];
  private static final int[] SLOTS = new int[COUNT];
  private static final int[] FIRST = new int[COUNT];

  /** Factors for which {@code offset * factor >>> 32} is {@code offset / bytes}. */
  private static final long[] INVERSE = new long[COUNT];

  /** The class for each number of 16-byte units. */
  private static final byte[] OF_UNITS = new byte[MAX_BYTES / 16 + 1];

  static {
    int sizeClass = 0;
    int bytes = 0;
    while (bytes < MAX_BYTES) {
      int step = bytes < 128 ? 16 : Integer.highestOneBit(bytes) / 8;
      for (int units = bytes / 16 + 1; units <= (bytes + step) / 16; units++) {
        OF_UNITS[units] = (byte) sizeClass;
      }
      bytes += step;
      define(sizeClass++, bytes);
    }
  }

  private SizeClasses() {}

  private static void define(int sizeClass, int bytes) {
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

  /** Slots lie in as few cache lines as their size allows. */
  private static int firstSlot(int slots, int bytes) {
    int end = BITMAP + ((slots + 63) >>> 6) * 8;
    int alignment = Math.min(64, Integer.lowestOneBit(bytes));
    return (end + alignment - 1) & -alignment;
  }

  /** The smallest class for blocks of up to {@link #MAX_BYTES} bytes, header included. */
  static int of(int bytes) {
    return OF_UNITS[(bytes + 15) >>> 4];
  }

  /** The most room that a block of whole words leaves in a slot of the class. */
  static int mostSlack(int sizeClass) {
    return BYTES[sizeClass] - (sizeClass == 0 ? 0 : BYTES[sizeClass - 1]) - Long.BYTES;
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
