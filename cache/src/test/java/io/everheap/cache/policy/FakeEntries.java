package io.everheap.cache.policy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Entries that a test makes up: each has its slot as its hash and weighs one, unless it says so.
 */
final class FakeEntries implements Policy.Entries {
  final Map<Integer, Long> hashes = new HashMap<>();
  final Map<Integer, Integer> weights = new HashMap<>();
  final Set<Integer> pins = new HashSet<>();
  private final Map<Integer, Integer> frequencies = new HashMap<>();

  @Override
  public long hash(int slot) {
    return hashes.getOrDefault(slot, (long) slot);
  }

  @Override
  public int weight(int slot) {
    return weights.getOrDefault(slot, 1);
  }

  @Override
  public boolean pinned(int slot) {
    return pins.contains(slot);
  }

  @Override
  public int frequency(int slot) {
    return frequencies.getOrDefault(slot, 0);
  }

  @Override
  public void frequency(int slot, int value) {
    frequencies.put(slot, value);
  }

  @Override
  public void hit(int slot) {
    frequencies.put(slot, Math.min(3, frequency(slot) + 1));
  }
}
