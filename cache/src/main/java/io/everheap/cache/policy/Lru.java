package io.everheap.cache.policy;

/** Evicts the entry that was not used for the longest time. */
public final class Lru implements Policy {
  private final Entries entries;
  private final SlotLists lists = new SlotLists();
  private final SlotLists.List all = lists.new List(1);
  private final AccessBuffer accesses = new AccessBuffer();

  /** A policy for any capacity. */
  public Lru(Entries entries) {
    this.entries = entries;
  }

  @Override
  public long bytes() {
    return lists.bytes();
  }

  @Override
  public void added(int slot) {
    accesses.drain(this::used);
    all.addNewest(slot, entries.weight(slot));
  }

  @Override
  public void restored(int slot) {
    all.addNewest(slot, entries.weight(slot));
  }

  @Override
  public void restored(int[] oldestFirst) {
    for (int i = oldestFirst.length - 1; i >= 0; i--) {
      int slot = oldestFirst[i];
      if (all.holds(slot)) {
        int weight = entries.weight(slot);
        all.remove(slot, weight);
        all.addOldest(slot, weight);
      }
    }
  }

  @Override
  public void accessed(int slot) {
    accesses.add(slot);
  }

  private void used(int slot) {
    if (all.holds(slot)) {
      all.makeNewest(slot, entries.weight(slot));
    }
  }

  @Override
  public void removed(int slot, boolean evicted) {
    if (all.holds(slot)) {
      all.remove(slot, entries.weight(slot));
    }
  }

  @Override
  public int victim() {
    accesses.drain(this::used);
    for (int patience = all.size(); patience > 0; patience--) {
      int slot = all.oldest();
      if (!entries.pinned(slot)) {
        return slot;
      }
      all.makeNewest(slot, entries.weight(slot));
    }
    return -1;
  }
}
