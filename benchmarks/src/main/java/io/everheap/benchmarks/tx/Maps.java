package io.everheap.benchmarks.tx;

import io.everheap.Heap;
import io.everheap.benchmarks.harness.Scramble;
import java.util.Map;

/** Fills maps of a heap. */
final class Maps {
  private static final int BATCH = 1000;

  private Maps() {}

  /** Puts the scrambled keys of 0 to {@code entries} with these numbers as values. */
  static void fill(Heap heap, Map<Long, Long> map, long entries) {
    for (long n = 0; n < entries; n += BATCH) {
      long first = n;
      heap.transact(
          () -> {
            for (long i = first; i < Math.min(first + BATCH, entries); i++) {
              map.put(Scramble.key(i), i);
            }
          });
    }
  }
}
