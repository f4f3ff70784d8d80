package io.everheap.collection.sorted;

import io.everheap.collection.base.Retry;
import io.everheap.memory.Region;

/**
 * Counts, in a committed node, the heads that are less than a word, without a branch that depends
 * on what is there: first among every eighth of them, then among the seven in between. A branch
 * that is guessed wrong costs as much as all of these loads, and a search that waits for one load
 * before it begins the next as much again when the node is not in a near cache.
 */
final class NodeRank {
  /** Nodes with fewer places are searched step by step. */
  static final int WORTHWHILE = 9;

  private static final int GROUP = 8;

  private NodeRank() {}

  /**
   * A position before which all heads are less. The head at the position is not less, or differs in
   * its lowest bit only, or the position is the last one.
   *
   * @param at where the node is in the region
   * @param count of its places that are used
   * @param word compared as an unsigned number
   * @throws Retry if the node lists a place that it cannot have
   */
  static int of(Region region, long at, int count, long word) {
    long half = word >>> 1; // numbers of 63 bits are compared by subtraction
    long order = at + SortedLayout.ORDER;
    int place7 = region.getByte(order + 7) & 0xff;
    int place15 = region.getByte(order + 15) & 0xff;
    int place23 = region.getByte(order + 23) & 0xff;
    int place31 = region.getByte(order + 31) & 0xff;
    int place39 = region.getByte(order + 39) & 0xff;
    int group =
        less(region, at, place7, 7 - count, half)
            + less(region, at, place15, 15 - count, half)
            + less(region, at, place23, 23 - count, half)
            + less(region, at, place31, 31 - count, half)
            + less(region, at, place39, 39 - count, half);
    int from = GROUP * group;
    long places = region.getLong(order + from);
    int place0 = (int) places & 0xff;
    int place1 = (int) (places >>> 8) & 0xff;
    int place2 = (int) (places >>> 16) & 0xff;
    int place3 = (int) (places >>> 24) & 0xff;
    int place4 = (int) (places >>> 32) & 0xff;
    int place5 = (int) (places >>> 40) & 0xff;
    int place6 = (int) (places >>> 48) & 0xff;
    int beyond = from - count;
    int rank =
        from
            + less(region, at, place0, beyond, half)
            + less(region, at, place1, beyond + 1, half)
            + less(region, at, place2, beyond + 2, half)
            + less(region, at, place3, beyond + 3, half)
            + less(region, at, place4, beyond + 4, half)
            + less(region, at, place5, beyond + 5, half)
            + less(region, at, place6, beyond + 6, half);
    int most = SortedLayout.CAPACITY - 1;
    int wrong =
        (most - place7)
            | (most - place15)
            | (most - place23)
            | (most - place31)
            | (most - place39)
            | (most - place0)
            | (most - place1)
            | (most - place2)
            | (most - place3)
            | (most - place4)
            | (most - place5)
            | (most - place6);
    if (wrong < 0) {
      throw Retry.INSTANCE; // the general way says what is wrong
    }
    return rank;
  }

  /** 1 if the head at a place is less and {@code beyond}, its distance to the end, negative. */
  private static int less(Region region, long at, int place, int beyond, long half) {
    long head = SortedSearch.head(region, at, place) >>> 1;
    return (int) ((head - half) >>> 63) & (beyond >>> 31);
  }
}
