package io.everheap.structure.list;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;

/**
 * The layout of a {@link WordTree}: a few words in the header of the structure that has the tree,
 * inner nodes and leaves.
 *
 * <pre>
 * words in the header          inner node                        leaf
 *  0  size                      0  block header                   0  block header
 *  8  root reference, or 0      8  number of children             8  word 0
 * 16  shape                    16  start of child 0: always 0    16  word 1
 * 24  last leaf, or 0          24  start of child 1                  ...
 * 32  start of the last leaf       ...
 *                             520  reference of child 0
 *                             528  reference of child 1
 *                                  ...
 * </pre>
 *
 * <p>The start of a child is the number of words before it in its node; so a leaf does not say how
 * many words it has. Shape: bits 0 to 7 the height, 0 when the root is a leaf, bit 8 set when the
 * words are values and not references of cells. All leaves have room for {@value #LEAF_WORDS}
 * words, only one that is the root may be smaller. An empty tree has no nodes.
 */
public final class TreeLayout {
  static final int SIZE = 0;
  public static final int ROOT = 8;
  static final int SHAPE = 16;
  static final int LAST = 24;
  static final int LAST_START = 32;

  /** Bytes of a tree in the header of its structure. */
  public static final int BYTES = 40;

  static final long HEIGHT_MASK = 0xff;
  static final long WORDS = 1 << 8;

  /** More than any tree has that fits into a heap. */
  static final int MOST_HEIGHT = 24;

  static final int CHILDREN = 8;
  static final int STARTS = 16;

  /** The most children of a node. */
  static final int FANOUT = 63;

  static final int LINKS = STARTS + 8 * FANOUT;

  /** Payload bytes of an inner node; with its header it has 1 KiB. */
  static final int INNER_BYTES = LINKS + 8 * FANOUT - 8;

  /** The words of a leaf; with its header it has 1 KiB. */
  public static final int LEAF_WORDS = 127;

  /** The words of the smallest root; one that grows has twice as many, and one. */
  static final int FIRST_LEAF_WORDS = 7;

  private TreeLayout() {}

  /** Address of a word of a leaf. */
  public static long word(long leaf, long position) {
    return Reference.payload(leaf) + (position << 3);
  }

  static long start(long node, int child) {
    return node + STARTS + ((long) child << 3);
  }

  public static long link(long node, int child) {
    return node + LINKS + ((long) child << 3);
  }

  /** Room of a root that is to hold so many words. */
  static int rootWords(long words) {
    int room = FIRST_LEAF_WORDS;
    while (room < words && room < LEAF_WORDS) {
      room = 2 * room + 1;
    }
    return room;
  }

  /** The stripe of the structure whose header has this address. */
  public static int stripe(long header) {
    long mixed = (header >>> 4) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 40) & (Stripes.COUNT - 1);
  }
}
