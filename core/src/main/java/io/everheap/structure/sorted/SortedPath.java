package io.everheap.structure.sorted;

import io.everheap.structure.common.Damage;
import java.util.Arrays;

/**
 * A way from the root of a tree to a place in a leaf: nodes by their addresses, and in each the
 * position at which it was left. Used by one thread.
 */
public final class SortedPath {
  private static final int FEW = 6;

  private long[] nodes = new long[FEW];
  private int[] positions = new int[FEW];
  private int depth;

  /** Number of nodes; 0 in an empty tree. */
  int depth() {
    return depth;
  }

  void clear() {
    depth = 0;
  }

  void cut(int newDepth) {
    depth = newDepth;
  }

  void push(long node) {
    if (depth == nodes.length) {
      if (depth > SortedLayout.MAX_LEVEL) {
        throw Damage.at(node, "a tree of more than " + depth + " levels");
      }
      nodes = Arrays.copyOf(nodes, 2 * depth);
      positions = Arrays.copyOf(positions, 2 * depth);
    }
    nodes[depth++] = node;
  }

  long node(int i) {
    return nodes[i];
  }

  int position(int i) {
    return positions[i];
  }

  void setPosition(int i, int position) {
    positions[i] = position;
  }

  /** Index of the leaf. */
  int last() {
    return depth - 1;
  }

  public long leaf() {
    return nodes[depth - 1];
  }

  /** Position in the leaf. */
  public int at() {
    return positions[depth - 1];
  }
}
