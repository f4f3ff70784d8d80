package io.everheap.cache.policy;

/**
 * S3-FIFO (Yang et al.: FIFO queues are all you need for cache eviction, SOSP 2023). New entries
 * enter a small queue of a tenth of the cache; those that are hit more than once before they reach
 * its end go to the main queue, the others leave the cache, remembered as ghosts. An entry that
 * comes back as a ghost enters the main queue at once. An entry at the end of the main queue that
 * was hit goes round again.
 *
 * <p>A hit changes two bits in memory, no queue.
 */
public final class S3Fifo implements Policy {
  private static final int SMALL = 1;
  private static final int MAIN = 2;
  private static final int SMALL_SHARE = 10;

  private final Entries entries;
  private final SlotLists lists = new SlotLists();
  private final SlotLists.List small = lists.new List(SMALL);
  private final SlotLists.List main = lists.new List(MAIN);
  private final Ghosts ghosts = new Ghosts();
  private final long smallTarget;

  /** For a cache of so many granules. */
  public S3Fifo(Entries entries, long granules) {
    this.entries = entries;
    this.smallTarget = Math.max(1, granules / SMALL_SHARE);
  }

  @Override
  public long bytes() {
    return lists.bytes() + ghosts.bytes();
  }

  @Override
  public void added(int slot) {
    boolean returns = ghosts.remove(entries.hash(slot), size());
    (returns ? main : small).addNewest(slot, entries.weight(slot));
  }

  @Override
  public void restored(int slot) {
    main.addNewest(slot, entries.weight(slot));
  }

  /** The queues are in the order of insertion; what the small one would hold goes there. */
  @Override
  public void restored(int[] oldestFirst) {
    long room = smallTarget - small.weight();
    for (int i = oldestFirst.length - 1; i >= 0; i--) {
      int slot = oldestFirst[i];
      if (main.holds(slot)) {
        int weight = entries.weight(slot);
        main.remove(slot, weight);
        room -= weight;
        (room >= 0 ? small : main).addOldest(slot, weight);
      }
    }
  }

  @Override
  public void accessed(int slot) {
    entries.hit(slot);
  }

  @Override
  public void removed(int slot, boolean evicted) {
    int weight = entries.weight(slot);
    if (small.holds(slot)) {
      small.remove(slot, weight);
      if (evicted) {
        ghosts.add(entries.hash(slot), size());
      }
    } else if (main.holds(slot)) {
      main.remove(slot, weight);
    }
  }

  @Override
  public int victim() {
    // An entry passes each queue's end at most once for each of its hits, and once if it is pinned.
    long patience = 6L + 5L * size();
    while (patience-- > 0) {
      boolean fromSmall = small.size() > 0 && (small.weight() > smallTarget || main.size() == 0);
      int slot = fromSmall ? small.oldest() : main.oldest();
      if (slot < 0) {
        return unpinnedOfSmall();
      }
      int weight = entries.weight(slot);
      int frequency = entries.frequency(slot);
      if (fromSmall) {
        if (frequency <= 1 && !entries.pinned(slot)) {
          return slot;
        }
        small.remove(slot, weight);
        main.addNewest(slot, weight);
        entries.frequency(slot, 0);
      } else {
        if (frequency == 0 && !entries.pinned(slot)) {
          return slot;
        }
        entries.frequency(slot, Math.max(0, frequency - 1));
        main.makeNewest(slot, weight);
      }
    }
    return unpinnedOfSmall();
  }

  /** The main queue is pinned as a whole. */
  private int unpinnedOfSmall() {
    for (int patience = small.size(); patience > 0; patience--) {
      int slot = small.oldest();
      if (!entries.pinned(slot)) {
        return slot;
      }
      small.makeNewest(slot, entries.weight(slot));
    }
    return -1;
  }

  private int size() {
    return small.size() + main.size();
  }
}
