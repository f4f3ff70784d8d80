package io.everheap.structure.sorted;

/**
 * The layout of a sorted map or set: a header and a B+-tree of nodes. Offsets are bytes from the
 * address of a block, which starts with its 8-byte block header.
 *
 * <pre>
 * header                       node
 *  0  block header              0  block header
 *  8  key type id              8  count u8 | level u8 | flags u8 | 0 u8 | skip u32
 * 16  other type id            16  order: 48 places u8
 * 24  other type id            64  heads: 48 words
 * 32  kinds                   448  payloads: 48 words
 * 40  count of entries        832  separators: 48 words, in inner nodes of byte keys only
 * 48  root reference, or 0
 * </pre>
 *
 * <p>A map has the types of its keys, its values and its order; a set those of its elements and its
 * order, then 0. Kinds: bit 0 set when keys are words, bit 1 set when values are words, bit 2 set
 * when keys are compared by a comparator and not by their bytes, bits 8 to 15 the version of the
 * ordered forms of keys.
 *
 * <p>The order of a node lists its places: the first {@code count} of them are used, in the order
 * of their keys, the others are free. So one more entry moves a few bytes of the order and none of
 * the others. Leaves have level 0; the flags repeat bits 0 and 1 of the kinds, so that a tree can
 * be freed without its header.
 *
 * <p>What a place holds:
 *
 * <pre>
 *                 head                           payload                 separator
 * leaf, words     the key                        the value, or its cell
 * leaf, bytes     8 bytes of the key from skip   link to key and value
 * inner, words    the least key below            reference of the child
 * inner, bytes    8 bytes of the separator       reference of the child  its length, or a link
 * </pre>
 *
 * <p>The first child of an inner node has no separator: its head and its separator are 0. Heads of
 * bytes are big-endian, filled up with zeros, compared as unsigned numbers, and 0 if a comparator
 * orders the keys. See {@link Separators} for the last column.
 */
public final class SortedLayout {
  public static final int TYPES = 8;
  public static final int KINDS = 32;
  public static final int COUNT = 40;
  public static final int ROOT = 48;

  /** Payload bytes of the header. */
  public static final int HEADER_BYTES = 48;

  public static final long WORD_KEYS = 1;
  public static final long WORD_VALUES = 2;
  static final long COMPARED = 4;

  /** Version of the ordered forms of keys. */
  static final int FORM_VERSION = 1;

  public static final int INFO = 8;
  public static final int ORDER = 16;
  public static final int HEADS = 64;
  public static final int PAYLOADS = 448;
  public static final int SEPARATORS = 832;

  /** Places of a node. */
  public static final int CAPACITY = 48;

  /** Payload bytes of a node without separators; with its header it fills a slot of its class. */
  public static final int NODE_BYTES = 824;

  /** Payload bytes of a node with separators. */
  static final int WIDE_NODE_BYTES = 1208;

  /** The highest level that a node may claim to have. */
  public static final int MAX_LEVEL = 15;

  /** A leaf with no more entries looks for a neighbour to become one with. */
  static final int FEW = CAPACITY / 4;

  /** Two nodes become one if it has no more entries than these. */
  static final int MOST_MERGED = CAPACITY * 3 / 4;

  private static final int FORM_VERSION_SHIFT = 8;
  private static final int LEVEL_SHIFT = 8;
  private static final int FLAGS_SHIFT = 16;
  private static final int SKIP_SHIFT = 32;

  private static final long CONSTANT = 0xffL << FLAGS_SHIFT | Long.MIN_VALUE;

  private SortedLayout() {}

  public static long kinds(boolean wordKeys, boolean wordValues, boolean compared) {
    return (wordKeys ? WORD_KEYS : 0)
        | (wordValues ? WORD_VALUES : 0)
        | (compared ? COMPARED : 0)
        | (long) FORM_VERSION << FORM_VERSION_SHIFT;
  }

  static boolean isKnown(long kinds) {
    return (kinds & ~(WORD_KEYS | WORD_VALUES | COMPARED))
        == (long) FORM_VERSION << FORM_VERSION_SHIFT;
  }

  static long info(int count, int level, long flags, int skip) {
    return count | (long) level << LEVEL_SHIFT | flags << FLAGS_SHIFT | (long) skip << SKIP_SHIFT;
  }

  public static int count(long info) {
    return (int) info & 0xff;
  }

  static long withCount(long info, int count) {
    return (info & ~0xffL) | count;
  }

  public static int level(long info) {
    return (int) (info >>> LEVEL_SHIFT) & 0xff;
  }

  public static long flags(long info) {
    return info >>> FLAGS_SHIFT & 0xff;
  }

  /** What all nodes of a tree of these kinds have in their first word: the flags, and no sign. */
  static long constant(long kinds) {
    return (kinds & (WORD_KEYS | WORD_VALUES)) << FLAGS_SHIFT;
  }

  /** Whether the first word of a node has what all nodes of the tree have in theirs. */
  static boolean constant(long info, long wanted) {
    return (info & CONSTANT) == wanted;
  }

  public static int skip(long info) {
    return (int) (info >>> SKIP_SHIFT);
  }

  /** Whether nodes of this kind have separators: inner ones, unless keys are words. */
  static boolean isWide(int level, long flags) {
    return level > 0 && (flags & WORD_KEYS) == 0;
  }

  static int nodeBytes(int level, long flags) {
    return isWide(level, flags) ? WIDE_NODE_BYTES : NODE_BYTES;
  }

  /** The stripe that guards a header, or a node and the entries of a leaf. */
  public static int stripe(long address) {
    return (int) (((address >>> 4) * 0x9E37_79B9_7F4A_7C15L) >>> 51);
  }
}
