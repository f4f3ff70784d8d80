package io.everheap.cache.table;

/**
 * The longest free run of each segment, in a tree that finds a segment with room in a logarithmic
 * number of steps. Guarded by the cache's lock.
 */
public final class LongestRuns {
  private final int leaves;
  private final int[] tree;

  /** Runs of length 0 for so many segments. */
  public LongestRuns(int segments) {
    leaves = Integer.highestOneBit(Math.max(1, segments - 1)) << 1;
    tree = new int[2 * leaves];
  }

  /** Sets the longest run of a segment. */
  public void set(int segment, int length) {
    int i = leaves + segment;
    tree[i] = length;
    for (i >>>= 1; i > 0; i >>>= 1) {
      tree[i] = Math.max(tree[2 * i], tree[2 * i + 1]);
    }
  }

  /** The longest of all. */
  public int longest() {
    return tree[1];
  }

  /** The first segment with a run of at least a length; -1 if there is none. */
  public int find(int length) {
    if (tree[1] < length) {
      return -1;
    }
    int i = 1;
    while (i < leaves) {
      i = tree[2 * i] >= length ? 2 * i : 2 * i + 1;
    }
    return i - leaves;
  }
}
