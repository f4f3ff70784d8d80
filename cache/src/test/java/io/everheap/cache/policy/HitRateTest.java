package io.everheap.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** The hit rates of the policies on generated traces, of keys with weights. */
@Campaign
class HitRateTest {
  private static final BiFunction<Policy.Entries, Long, Policy> S3_FIFO = S3Fifo::new;
  private static final BiFunction<Policy.Entries, Long, Policy> TINY_LFU = TinyLfu::new;
  private static final BiFunction<Policy.Entries, Long, Policy> LRU = HitRateTest::lru;

  private static Policy lru(Policy.Entries entries, long granules) {
    return new Lru(entries);
  }

  /** A cache without contents. */
  private static final class Simulation implements Policy.Entries {
    private final Policy policy;
    private final long capacity;
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final List<Integer> keys = new ArrayList<>();
    private final List<Integer> weights = new ArrayList<>();
    private final List<Integer> frequencies = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private final Set<Integer> pinned = new HashSet<>();
    private long used;

    Simulation(BiFunction<Policy.Entries, Long, Policy> make, long capacity) {
      this.capacity = capacity;
      this.policy = make.apply(this, capacity);
    }

    boolean get(int key) {
      Integer slot = slots.get(key);
      if (slot != null) {
        policy.accessed(slot);
      }
      return slot != null;
    }

    void put(int key, int weight) {
      while (used + weight > capacity) {
        int victim = policy.victim();
        assertThat(victim).isNotNegative();
        assertThat(slots).containsKey(keys.get(victim));
        assertThat(pinned).doesNotContain(victim);
        policy.removed(victim, true);
        end(victim);
      }
      int slot = free.isEmpty() ? keys.size() : free.pop();
      if (slot == keys.size()) {
        keys.add(key);
        weights.add(weight);
        frequencies.add(0);
      } else {
        keys.set(slot, key);
        weights.set(slot, weight);
        frequencies.set(slot, 0);
      }
      slots.put(key, slot);
      used += weight;
      policy.added(slot);
    }

    private void end(int slot) {
      used -= weights.get(slot);
      slots.remove(keys.get(slot));
      free.push(slot);
    }

    /** The share of hits in percent. */
    double run(int[] trace, boolean mixed) {
      int hits = 0;
      for (int key : trace) {
        if (get(key)) {
          hits++;
        } else {
          put(key, mixed ? 1 + Math.floorMod(key * 0x9E37_79B9, 64) : 1);
        }
      }
      return 100.0 * hits / trace.length;
    }

    @Override
    public long hash(int slot) {
      return keys.get(slot) * 0x9E37_79B9_7F4A_7C15L;
    }

    @Override
    public int weight(int slot) {
      return weights.get(slot);
    }

    @Override
    public boolean pinned(int slot) {
      return pinned.contains(slot);
    }

    @Override
    public int frequency(int slot) {
      return frequencies.get(slot);
    }

    @Override
    public void frequency(int slot, int value) {
      frequencies.set(slot, value);
    }

    @Override
    public void hit(int slot) {
      frequencies.set(slot, Math.min(3, frequencies.get(slot) + 1));
    }
  }

  private static double rate(
      BiFunction<Policy.Entries, Long, Policy> policy, int[] trace, int capacity) {
    return new Simulation(policy, capacity).run(trace, false);
  }

  private static int[] zipf(double exponent, int items, int length, long seed) {
    double[] sums = new double[items];
    double sum = 0;
    for (int i = 0; i < items; i++) {
      sum += Math.pow(i + 1, -exponent);
      sums[i] = sum;
    }
    var random = new Random(seed);
    int[] trace = new int[length];
    for (int i = 0; i < length; i++) {
      int found = Arrays.binarySearch(sums, random.nextDouble() * sum);
      trace[i] = found >= 0 ? found : -found - 1;
    }
    return trace;
  }

  private static int[] loop(int items, int length) {
    int[] trace = new int[length];
    for (int i = 0; i < length; i++) {
      trace[i] = i % items;
    }
    return trace;
  }

  /** A zipf distribution, and now and then a scan of keys that never come back. */
  private static int[] scans(int length) {
    int[] trace = zipf(0.9, 20_000, length, 3);
    for (int start = 20_000; start + 5000 < length; start += 25_000) {
      for (int i = 0; i < 5000; i++) {
        trace[start + i] = 1_000_000 + start + i;
      }
    }
    return trace;
  }

  @Test
  void aSkewedDistribution() {
    int[] trace = zipf(0.99, 50_000, 400_000, 1);
    double lru = rate(LRU, trace, 5000);
    tell("zipf 0.99, 5,000 of 50,000", trace, 5000);
    assertThat(rate(S3_FIFO, trace, 5000)).isGreaterThan(lru + 2);
    assertThat(rate(TINY_LFU, trace, 5000)).isGreaterThan(lru + 2);
  }

  @Test
  void aLoopThatIsLargerThanTheCache() {
    int[] trace = loop(1000, 400_000);
    tell("loop of 1,000, 512", trace, 512);
    assertThat(rate(LRU, trace, 512)).isZero();
    assertThat(rate(TINY_LFU, trace, 512)).isGreaterThan(30);
  }

  @Test
  void scansDoNotDriveOutWhatIsUsed() {
    int[] trace = scans(400_000);
    tell("zipf 0.9 and scans, 2,000", trace, 2000);
    double lru = rate(LRU, trace, 2000);
    assertThat(rate(S3_FIFO, trace, 2000)).isGreaterThan(lru);
    assertThat(rate(TINY_LFU, trace, 2000)).isGreaterThan(lru);
  }

  @Test
  void aUniformDistributionGivesTheShareThatFits() {
    int[] trace = new Random(5).ints(300_000, 0, 10_000).toArray();
    tell("uniform, 2,500 of 10,000", trace, 2500);
    for (var policy : List.of(S3_FIFO, TINY_LFU, LRU)) {
      assertThat(rate(policy, trace, 2500)).isBetween(23.0, 27.0);
    }
  }

  @Test
  void recencyWins() {
    // Keys come again soon, and then never.
    var random = new Random(7);
    int[] trace = new int[300_000];
    for (int i = 0; i < trace.length; i++) {
      trace[i] = i / 10 + random.nextInt(400);
    }
    tell("drifting, 800", trace, 800);
    double lru = rate(LRU, trace, 800);
    assertThat(rate(S3_FIFO, trace, 800)).isGreaterThan(lru - 6);
  }

  @Test
  void entriesOfDifferentWeights() {
    int[] trace = zipf(0.99, 50_000, 300_000, 9);
    double lru = new Simulation(LRU, 100_000).run(trace, true);
    assertThat(new Simulation(S3_FIFO, 100_000).run(trace, true)).isGreaterThan(lru);
    assertThat(new Simulation(TINY_LFU, 100_000).run(trace, true)).isGreaterThan(lru);
  }

  @Test
  void pinnedEntriesAreNoVictims() {
    for (var policy : List.of(S3_FIFO, TINY_LFU, LRU)) {
      var cache = new Simulation(policy, 100);
      for (int key = 0; key < 100; key++) {
        cache.put(key, 1);
      }
      for (int key = 0; key < 90; key++) {
        cache.pinned.add(cache.slots.get(key));
      }
      for (int key = 100; key < 1000; key++) {
        cache.put(key, 1);
      }
      for (int key = 0; key < 90; key++) {
        assertThat(cache.get(key)).isTrue();
      }
      cache.pinned.addAll(cache.slots.values());
      assertThat(cache.policy.victim()).isEqualTo(-1);
    }
  }

  @Test
  void theOldestRestoredEntryGoesFirst() {
    for (var policy : List.of(S3_FIFO, TINY_LFU, LRU)) {
      var cache = new Simulation(policy, 1000);
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        cache.keys.add(i);
        cache.weights.add(1);
        cache.frequencies.add(0);
        cache.slots.put(i, i);
        cache.policy.restored(i);
        order.add(i);
      }
      Collections.shuffle(order, new Random(1));
      cache.policy.restored(order.stream().mapToInt(i -> i).toArray());
      assertThat(cache.policy.victim()).isEqualTo(order.getFirst());
    }
  }

  private static void tell(String name, int[] trace, int capacity) {
    System.out.printf(
        Locale.ROOT,
        "%s: S3-FIFO %.1f %%, W-TinyLFU %.1f %%, LRU %.1f %%%n",
        name,
        rate(S3_FIFO, trace, capacity),
        rate(TINY_LFU, trace, capacity),
        rate(LRU, trace, capacity));
  }
}
