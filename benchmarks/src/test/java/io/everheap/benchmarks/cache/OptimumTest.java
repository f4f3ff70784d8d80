package io.everheap.benchmarks.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.everheap.support.tier.Campaign;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

@Campaign
class OptimumTest {
  @Test
  void noOrderOfEvictionsHasMoreHitsOnShortTraces() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 200; round++) {
      int[] keys = random.ints(10, 0, 5).toArray();
      int capacity = 1 + random.nextInt(3);
      double expected = 100.0 * most(keys, 0, Set.of(), capacity) / keys.length;

      assertThat(Optimum.hitPercent(new Trace("any", keys, capacity, false)))
          .as(Arrays.toString(keys) + " in " + capacity)
          .isEqualTo(expected);
    }
  }

  /** The most hits from an index on, by trying everything. */
  private static int most(int[] keys, int index, Set<Integer> cached, int capacity) {
    if (index == keys.length) {
      return 0;
    }
    if (cached.contains(keys[index])) {
      return 1 + most(keys, index + 1, cached, capacity);
    }
    int best = most(keys, index + 1, cached, capacity); // not taken
    Set<Integer> taken = new HashSet<>(cached);
    taken.add(keys[index]);
    if (taken.size() <= capacity) {
      return Math.max(best, most(keys, index + 1, taken, capacity));
    }
    for (int victim : cached) {
      Set<Integer> kept = new HashSet<>(taken);
      kept.remove(victim);
      best = Math.max(best, most(keys, index + 1, kept, capacity));
    }
    return best;
  }

  @Test
  void aLoopHasHitsForWhatStays() {
    double percent = Optimum.hitPercent(Trace.named("loop-of-1000-in-512"));

    assertThat(percent).isCloseTo(100.0 * 511 / 999, within(0.2));
  }

  @Test
  void noPolicyIsBetterThanTheOptimum() {
    OwnPolicies policies = new OwnPolicies();
    for (Trace trace : Trace.ALL) {
      double optimum = Optimum.hitPercent(trace);
      for (String policy : policies.names()) {
        double percent = policies.hitPercent(policy, trace);
        if (!trace.weighted()) {
          assertThat(percent).as(policy + " " + trace.name()).isLessThanOrEqualTo(optimum);
        }
      }
    }
  }
}
