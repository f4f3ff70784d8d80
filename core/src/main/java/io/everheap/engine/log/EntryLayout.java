package io.everheap.engine.log;

/**
 * The layout of the entries in a record part: changes of the home image as words at addresses.
 *
 * <pre>
 *   63    60 59            44 43                                    0
 *   +--------+---------------+---------------------------------------+
 *   | type   | count         | address in the home image / 8         |   one word, then
 *   +--------+---------------+---------------------------------------+
 *   RUN   1 | count words, stored at the address and behind it
 *   FILL  2 | count = 2: a shape word (stride in bytes, low 32 bits; times, high 32 bits) and a
 *           |            value, stored at address + i * stride for 0 &lt;= i &lt; times
 *   END   0 | no further entry in this part
 * </pre>
 */
public final class EntryLayout {
  /** Type of the word behind the last entry. */
  public static final int END = 0;

  /** Type of a run of words. */
  public static final int RUN = 1;

  /** Type of one value stored at several addresses. */
  public static final int FILL = 2;

  /** Maximum number of words in one run. */
  public static final int MAX_RUN_WORDS = (1 << 16) - 1;

  /** Words that follow the first word of a fill. */
  public static final int FILL_WORDS = 2;

  private static final int TYPE_SHIFT = 60;
  private static final int COUNT_SHIFT = 44;
  private static final long WORD_ADDRESS_MASK = (1L << COUNT_SHIFT) - 1;

  private EntryLayout() {}

  /** The first word of a run of 1 to {@link #MAX_RUN_WORDS} words at an 8-aligned address. */
  public static long run(long address, int words) {
    return ((long) RUN << TYPE_SHIFT) | ((long) words << COUNT_SHIFT) | (address >>> 3);
  }

  /** The first word of a fill that starts at an 8-aligned address. */
  public static long fill(long address) {
    return ((long) FILL << TYPE_SHIFT) | ((long) FILL_WORDS << COUNT_SHIFT) | (address >>> 3);
  }

  /** The second word of a fill; both are unsigned 32-bit numbers. */
  public static long fillShape(long strideBytes, long times) {
    return (times << 32) | (strideBytes & 0xFFFF_FFFFL);
  }

  /** The type in the first word of an entry. */
  public static int type(long word) {
    return (int) (word >>> TYPE_SHIFT);
  }

  /** The number of words that follow the first word of an entry. */
  public static int count(long word) {
    return (int) (word >>> COUNT_SHIFT) & MAX_RUN_WORDS;
  }

  /** The home address in the first word of an entry, in bytes. */
  public static long address(long word) {
    return (word & WORD_ADDRESS_MASK) << 3;
  }

  /** The stride in a shape word, in bytes. */
  public static long stride(long shape) {
    return shape & 0xFFFF_FFFFL;
  }

  /** The number of stores in a shape word. */
  public static long times(long shape) {
    return shape >>> 32;
  }
}
