package io.everheap.engine.alloc;

/**
 * The layout of a chunk with slots of one size class.
 *
 * <pre>
 *   0  word 0   63    48 47    32 31    16 15     8 7      0
 *              +--------+--------+--------+--------+--------+
 *              |   0    | opened | slots  |   0    |  kind  |
 *              +--------+--------+--------+--------+--------+
 *   8  largest generation in the header of a free slot
 *  16  zero
 *  64  bitmap: one bit per slot, set if it is in use; bits behind the last slot are set
 *      the slots, from a multiple of the largest power of two that divides their size, 64 at most
 * </pre>
 *
 * <p>Only the first {@code opened} words of the bitmap are valid; the slots behind them were not
 * used since the chunk became one of this class. Their headers are valid only if the chunk's floor
 * is above 0: then all were written when the chunk was formatted.
 */
final class SlotLayout {
  /** The offset of the largest generation. */
  static final int MAX_GENERATION = 8;

  /** The offset of the bitmap. */
  static final int BITMAP = SizeClasses.BITMAP;

  private static final int SLOTS_SHIFT = 16;
  private static final int OPENED_SHIFT = 32;

  private SlotLayout() {}

  static long header(int kind, int slots, int opened) {
    return ((long) opened << OPENED_SHIFT) | ((long) slots << SLOTS_SHIFT) | kind;
  }

  static int opened(long header) {
    return (int) (header >>> OPENED_SHIFT) & 0xffff;
  }

  /** Whether a header is that of a chunk of the given kind. */
  static boolean isValid(long header, int kind) {
    int sizeClass = ChunkKind.sizeClass(kind);
    int opened = opened(header);
    return opened <= SizeClasses.words(sizeClass)
        && header == header(kind, SizeClasses.slots(sizeClass), opened);
  }

  /** The bits of a bitmap word without a slot. */
  static long padding(int sizeClass, int word) {
    int left = SizeClasses.slots(sizeClass) - (word << 6);
    return left >= 64 ? 0 : -1L << left;
  }
}
