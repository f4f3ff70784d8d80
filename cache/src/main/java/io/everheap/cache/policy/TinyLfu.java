package io.everheap.cache.policy;

import java.util.SplittableRandom;

/**
 * Adaptive W-TinyLFU (Einziger, Eytan, Friedman, Manes: Adaptive software cache management, 2018).
 * New entries enter a window in the order of use; what leaves it competes with the oldest of the
 * main part by how often both were seen. The size of the window follows the hit rate, uphill.
 */
public final class TinyLfu implements Policy {
  private static final int WINDOW = 1;
  private static final int PROBATION = 2;
  private static final int PROTECTED = 3;
  private static final double FIRST_WINDOW = 0.01;
  private static final double PROTECTED_SHARE = 0.8;
  private static final double STEP = 0.0625;
  private static final double STEP_DECAY = 0.98;
  private static final double RESTART = 0.05;
  private static final int SAMPLE = 10;
  private static final int WARM = 6;

  private final Entries entries;
  private final long capacity;
  private final SlotLists lists = new SlotLists();
  private final SlotLists.List window = lists.new List(WINDOW);
  private final SlotLists.List probation = lists.new List(PROBATION);
  private final SlotLists.List preferred = lists.new List(PROTECTED);
  private final FrequencySketch sketch = new FrequencySketch();
  private final AccessBuffer accesses = new AccessBuffer();
  private final SplittableRandom random = new SplittableRandom(1);

  private boolean full;
  private long windowTarget;
  private double step;
  private double lastRate;
  private long hits;
  private long misses;

  /** For a cache of so many granules. */
  public TinyLfu(Entries entries, long granules) {
    this.entries = entries;
    this.capacity = granules;
    this.windowTarget = Math.max(1, (long) (granules * FIRST_WINDOW));
    this.step = -STEP * granules;
  }

  @Override
  public long bytes() {
    return lists.bytes() + sketch.bytes();
  }

  @Override
  public void added(int slot) {
    accesses.drain(this::used);
    misses++;
    sketch.ensure(size());
    sketch.increment(entries.hash(slot));
    window.addNewest(slot, entries.weight(slot));
    if (!full) {
      while (window.weight() > windowTarget && window.size() > 1) {
        move(window.oldest(), window, probation);
      }
    }
    climb();
  }

  @Override
  public void restored(int slot) {
    sketch.ensure(size());
    probation.addNewest(slot, entries.weight(slot));
  }

  @Override
  public void restored(int[] oldestFirst) {
    for (int i = oldestFirst.length - 1; i >= 0; i--) {
      int slot = oldestFirst[i];
      if (probation.holds(slot)) {
        int weight = entries.weight(slot);
        probation.remove(slot, weight);
        probation.addOldest(slot, weight);
      }
    }
  }

  @Override
  public void accessed(int slot) {
    accesses.add(slot);
  }

  private void used(int slot) {
    int owner = lists.owner(slot);
    if (owner == 0) {
      return; // its entry ended since
    }
    hits++;
    sketch.increment(entries.hash(slot));
    int weight = entries.weight(slot);
    if (owner == WINDOW) {
      window.makeNewest(slot, weight);
    } else if (owner == PROTECTED) {
      preferred.makeNewest(slot, weight);
    } else {
      move(slot, probation, preferred);
      demote();
    }
  }

  /** What the protected part has too much goes back on probation. */
  private void demote() {
    long most = (long) ((capacity - windowTarget) * PROTECTED_SHARE);
    while (preferred.weight() > most && preferred.size() > 1) {
      move(preferred.oldest(), preferred, probation);
    }
  }

  @Override
  public void removed(int slot, boolean evicted) {
    int weight = entries.weight(slot);
    switch (lists.owner(slot)) {
      case WINDOW -> window.remove(slot, weight);
      case PROBATION -> probation.remove(slot, weight);
      case PROTECTED -> preferred.remove(slot, weight);
      default -> {}
    }
  }

  @Override
  public int victim() {
    full = true;
    accesses.drain(this::used);
    int old = oldestOfMain();
    if (window.weight() > windowTarget || old < 0) {
      int candidate = unpinned(window);
      if (candidate >= 0 && old >= 0 && admits(candidate, old)) {
        move(candidate, window, probation);
        return old;
      }
      return candidate >= 0 ? candidate : old;
    }
    return old;
  }

  private int oldestOfMain() {
    int slot = unpinned(probation);
    return slot >= 0 ? slot : unpinned(preferred);
  }

  private int unpinned(SlotLists.List list) {
    for (int patience = list.size(); patience > 0; patience--) {
      int slot = list.oldest();
      if (!entries.pinned(slot)) {
        return slot;
      }
      list.makeNewest(slot, entries.weight(slot));
    }
    return -1;
  }

  /** A warm candidate gets in sometimes, so that colliding hashes cannot keep others out. */
  private boolean admits(int candidate, int old) {
    int its = sketch.frequency(entries.hash(candidate));
    int other = sketch.frequency(entries.hash(old));
    return its > other || (its >= WARM && random.nextInt(128) == 0);
  }

  /** Changes the window's size after each sample, in the same direction while that helps. */
  private void climb() {
    long seen = hits + misses;
    if (!full || seen < (long) SAMPLE * Math.max(size(), 16)) {
      return;
    }
    double rate = (double) hits / seen;
    double change = rate - lastRate;
    double amount = change >= 0 ? step : -step;
    step =
        Math.abs(change) >= RESTART
            ? STEP * capacity * (amount >= 0 ? 1 : -1)
            : STEP_DECAY * amount;
    lastRate = rate;
    hits = 0;
    misses = 0;
    windowTarget = Math.clamp(windowTarget + (long) amount, 1, Math.max(1, capacity * 4 / 5));
    while (window.weight() > windowTarget && window.size() > 1) {
      move(window.oldest(), window, probation);
    }
    demote();
  }

  private void move(int slot, SlotLists.List from, SlotLists.List to) {
    int weight = entries.weight(slot);
    from.remove(slot, weight);
    to.addNewest(slot, weight);
  }

  private int size() {
    return window.size() + probation.size() + preferred.size();
  }
}
