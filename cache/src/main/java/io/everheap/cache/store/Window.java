package io.everheap.cache.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a segment whose eviction leaves a run of free granules.
 *
 * @param slots of the entries
 * @param cost their granules, those of entries that were hit counted more than once
 */
record Window(List<Integer> slots, long cost) {
  /**
   * What stands in a segment.
   *
   * @param fixed whether it cannot be evicted
   * @param frequency how often it was hit
   */
  record Item(int slot, int start, int length, boolean fixed, int frequency) {
    int end() {
      return start + length;
    }

    long cost() {
      return (long) length * (1 + frequency);
    }
  }

  /**
   * Finds the cheapest window.
   *
   * @param items what stands between the granules {@code from} and {@code to}; gets sorted
   * @return null if items that are fixed leave no room
   */
  static @Nullable Window cheapest(List<Item> items, int from, int to, int granules) {
    items.sort(Comparator.comparingInt(Item::start));
    long best = Long.MAX_VALUE;
    int bestFirst = -1;
    int bestEnd = -1;
    int fixed = 0;
    long cost = 0;
    int end = 0; // items in [first, end) are in the window
    for (int first = 0; first <= items.size(); first++) {
      int start = first == 0 ? from : items.get(first - 1).end();
      while (end < items.size() && items.get(end).start() - start < granules) {
        cost += items.get(end).cost();
        fixed += items.get(end).fixed() ? 1 : 0;
        end++;
      }
      int limit = end < items.size() ? items.get(end).start() : to;
      if (limit - start >= granules && fixed == 0 && cost < best) {
        best = cost;
        bestFirst = first;
        bestEnd = end;
      }
      if (first < items.size() && first < end) {
        cost -= items.get(first).cost();
        fixed -= items.get(first).fixed() ? 1 : 0;
      } else {
        end = Math.max(end, first + 1);
      }
    }
    if (bestFirst < 0) {
      return null;
    }
    List<Integer> slots = new ArrayList<>();
    for (Item item : items.subList(bestFirst, bestEnd)) {
      slots.add(item.slot());
    }
    return new Window(slots, best);
  }
}
