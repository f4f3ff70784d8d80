package io.everheap.benchmarks.cache;

import io.everheap.cache.policy.Policy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A cache without contents, whose entries one of this library's policies evicts. */
final class Simulation implements Policy.Entries {
  private static final int MOST_HITS = 3;

  private final Trace trace;
  private final Policy policy;
  private final Map<Integer, Integer> slots = new HashMap<>();
  private final List<Integer> keys = new ArrayList<>(); // by slot
  private final List<Integer> frequencies = new ArrayList<>(); // by slot
  private final Deque<Integer> free = new ArrayDeque<>();
  private long used;

  Simulation(Trace trace, Function<Policy.Entries, Policy> make) {
    this.trace = trace;
    this.policy = make.apply(this);
  }

  double hitPercent() {
    int hits = 0;
    for (int key : trace.keys()) {
      Integer slot = slots.get(key);
      if (slot != null) {
        hits++;
        policy.accessed(slot);
      } else {
        put(key);
      }
    }
    return 100.0 * hits / trace.keys().length;
  }

  private void put(int key) {
    int weight = trace.weight(key);
    while (used + weight > trace.capacity()) {
      int victim = policy.victim();
      policy.removed(victim, true);
      used -= weight(victim);
      slots.remove(keys.get(victim));
      free.push(victim);
    }
    int slot = free.isEmpty() ? keys.size() : free.pop();
    if (slot == keys.size()) {
      keys.add(key);
      frequencies.add(0);
    } else {
      keys.set(slot, key);
      frequencies.set(slot, 0);
    }
    slots.put(key, slot);
    used += weight;
    policy.added(slot);
  }

  @Override
  public long hash(int slot) {
    return Distribution.key(keys.get(slot));
  }

  @Override
  public int weight(int slot) {
    return trace.weight(keys.get(slot));
  }

  @Override
  public boolean pinned(int slot) {
    return false;
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
    frequencies.set(slot, Math.min(MOST_HITS, frequencies.get(slot) + 1));
  }
}
