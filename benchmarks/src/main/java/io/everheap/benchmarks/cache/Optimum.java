package io.everheap.benchmarks.cache;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The best that any policy can reach: it evicts the key that is asked for latest (Belady: A study
 * of replacement algorithms for a virtual-storage computer, 1966), and does not take one that is
 * asked for later than all others.
 */
final class Optimum {
  private static final int NEVER = Integer.MAX_VALUE;

  /**
   * A key of the cache.
   *
   * @param next when it is asked for next
   * @param key the key
   */
  private record Use(int next, int key) {}

  private Optimum() {}

  /** The share of hits in percent; NaN for keys with weights, for which this is no optimum. */
  static double hitPercent(Trace trace) {
    if (trace.weighted()) {
      return Double.NaN;
    }
    int[] keys = trace.keys();
    int[] next = next(keys);
    PriorityQueue<Use> latest = new PriorityQueue<>((a, b) -> Integer.compare(b.next(), a.next()));
    Set<Integer> cached = new HashSet<>();
    Map<Integer, Integer> nextOf = new HashMap<>();
    int hits = 0;
    for (int i = 0; i < keys.length; i++) {
      if (cached.contains(keys[i])) {
        hits++;
      }
      cached.add(keys[i]);
      nextOf.put(keys[i], next[i]);
      latest.add(new Use(next[i], keys[i]));
      while (cached.size() > trace.capacity()) {
        Use last = latest.remove();
        if (nextOf.getOrDefault(last.key(), -1) == last.next()) { // else it was asked for since
          cached.remove(last.key());
        }
      }
    }
    return 100.0 * hits / keys.length;
  }

  /** When each key is asked for the next time. */
  private static int[] next(int[] keys) {
    int[] next = new int[keys.length];
    Arrays.fill(next, NEVER);
    Map<Integer, Integer> seen = new HashMap<>();
    for (int i = keys.length - 1; i >= 0; i--) {
      next[i] = seen.getOrDefault(keys[i], NEVER);
      seen.put(keys[i], i);
    }
    return next;
  }
}
