package io.everheap.structure.list;

/** The way from the root of a {@link WordTree} to a leaf. Reused; for one thread. */
public final class TreePath {
  /** Addresses of the inner nodes by level; the leaf's parent has level 1. */
  final long[] nodes = new long[TreeLayout.MOST_HEIGHT + 1];

  /** Which child the way goes to, by level. */
  final int[] children = new int[TreeLayout.MOST_HEIGHT + 1];

  /** Words below the node, by level. */
  final long[] counts = new long[TreeLayout.MOST_HEIGHT + 1];

  /** Levels above the leaf. */
  int height;

  /** Reference of the leaf. */
  long leaf;

  /** Words before the leaf. */
  long start;

  /** Words in the leaf. */
  int count;

  /** Where in the leaf the word is that was looked for. */
  int position;
}
