package io.everheap.structure.common;

import io.everheap.engine.alloc.Reference;

/**
 * The layout of a map's nodes, and of the links to them. Offsets are bytes from the address of the
 * node's block header.
 *
 * <pre>
 * word keys and word values          any other pair
 *  0  block header                    0  block header
 *  8  next: link                      8  next: link
 * 16  key                            16  key bytes u32 | value bytes u32
 * 24  value                          24  key, padded to a multiple of 8
 *                                     :  value, padded to a multiple of 8
 *
 * link  63        40 39                        0      0: no node
 *      +------------+---------------------------+
 *      | hash >> 40 | address of the node / 16  |
 *      +------------+---------------------------+
 * </pre>
 *
 * <p>A value of more bytes than fit is kept out of line: its length reads {@value #OUT_OF_LINE} and
 * what stands in its place is described by {@link LargeValues}.
 */
public final class NodeLayout {
  public static final int NEXT = 8;
  public static final int WORD_KEY = 16;
  public static final int WORD_VALUE = 24;
  public static final int LENGTHS = 16;
  public static final int KEY = 24;

  /** Payload bytes of a node of two words. */
  public static final int WORDS_BYTES = 24;

  /** Length of a value that is kept out of line. */
  static final int OUT_OF_LINE = -1;

  /** The longest encoded key in bytes. */
  public static final int MAX_KEY_BYTES = 256 << 10;

  private static final int TAG_SHIFT = 40;
  private static final long ADDRESS_MASK = (1L << TAG_SHIFT) - 1;

  private NodeLayout() {}

  public static long link(long hash, long node) {
    return hash >>> TAG_SHIFT << TAG_SHIFT | node >>> 4;
  }

  /** The same link with another target; the tag goes with the target, not with the place. */
  public static long node(long link) {
    return (link & ADDRESS_MASK) << 4;
  }

  /** Whether a link may lead to a key of this hash. */
  public static boolean tagMatches(long link, long hash) {
    return (link ^ hash) >>> TAG_SHIFT == 0;
  }

  public static long lengths(int keyBytes, int valueBytes) {
    return (keyBytes & 0xffff_ffffL) | (long) valueBytes << 32;
  }

  public static int keyBytes(long lengths) {
    return (int) lengths;
  }

  public static int valueBytes(long lengths) {
    return (int) (lengths >>> 32);
  }

  /** Where the value starts in a node with a key of this length. */
  public static int value(int keyBytes) {
    return KEY + pad(keyBytes);
  }

  /** Payload bytes of a node; the block header does not count. */
  static long payloadBytes(int keyBytes, int valueBytes) {
    return value(keyBytes) - 8L + pad(valueBytes);
  }

  public static int pad(int bytes) {
    return (bytes + 7) & ~7;
  }

  /** The node's reference, given its block header word, which carries the generation. */
  public static long reference(long node, long blockHeader) {
    return Reference.of(node, (int) (blockHeader >>> TAG_SHIFT));
  }
}
