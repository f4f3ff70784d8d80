package io.everheap.engine.alloc;

/**
 * The layout of a chunk with runs of 4 KiB pages. Page 0 is the header, pages 1 to 63 hold blocks
 * of one or more consecutive pages.
 *
 * <pre>
 *   0  kind
 *   8  used:  one bit per page, set if it belongs to a block or is page 0
 *  16  first: one bit per page, set if a block starts there
 * </pre>
 */
final class PageLayout {
  static final int PAGE_SHIFT = 12;
  static final int PAGE_BYTES = 1 << PAGE_SHIFT;
  static final int PAGE_MASK = PAGE_BYTES - 1;

  /** The largest block, in pages. */
  static final int MAX_PAGES = 32;

  /** The offset of the used pages. */
  static final int USED = 8;

  /** The offset of the first pages of blocks. */
  static final int FIRST = 16;

  /** The used pages of an empty chunk. */
  static final long EMPTY = 1;

  private PageLayout() {}

  /** The bits of a run. */
  static long run(int page, int pages) {
    return (-1L >>> (64 - pages)) << page;
  }

  /** The pages at which that many consecutive bits are set. */
  static long starts(long bits, int pages) {
    int left = pages - 1;
    long starts = bits;
    for (int step = 1; left > 0; step <<= 1) {
      int shift = Math.min(step, left);
      starts &= starts >>> shift;
      left -= shift;
    }
    return starts;
  }

  /** The length of the block that starts at a page. */
  static int length(long used, long first, int page) {
    long end = (~used | first) & (-2L << page);
    return (end == 0 ? 64 : Long.numberOfTrailingZeros(end)) - page;
  }

  /** The length of the longest run of set bits. */
  static int longest(long bits) {
    int length = 0;
    for (long rest = bits; rest != 0; rest &= rest << 1) {
      length++;
    }
    return length;
  }
}
