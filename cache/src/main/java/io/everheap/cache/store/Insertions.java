package io.everheap.cache.store;

import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.policy.Policy;
import io.everheap.error.DiskFullException;
import io.everheap.error.MediumException;
import io.everheap.memory.BriefLock;
import io.everheap.memory.Closing;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Region;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Puts entries: finds room, evicting others, and makes an entry of what the caller filled. New
 * segments are filled, values are copied, and their checksums computed, without the cache's lock.
 * Thread-safe.
 */
final class Insertions {
  /** How many times a block's granules are evicted by the policy before a window is cleared. */
  private static final int PATIENCE = 4;

  private final Turn turn;
  private final Slots slots;
  private final Space space;
  private final Policy policy;
  private final Progress progress;
  private final Durability durability;
  private final Expiries expiries;
  private final Removals removals;
  private final Entries entries;
  private final Recovery recovery;
  private final Changes changes;
  private final @Nullable Sealing sealing;
  private final Counters counters;
  private final Object filling = new Object(); // taken before the cache's lock

  Insertions(
      Base base,
      Progress progress,
      Durability durability,
      Expiries expiries,
      Removals removals,
      Entries entries,
      Recovery recovery,
      Changes changes,
      @Nullable Sealing sealing) {
    this.turn = base.turn();
    this.slots = base.slots();
    this.space = base.space();
    this.policy = base.policy();
    this.progress = progress;
    this.durability = durability;
    this.expiries = expiries;
    this.removals = removals;
    this.entries = entries;
    this.recovery = recovery;
    this.changes = changes;
    this.sealing = sealing;
    this.counters = base.counters();
  }

  /** Takes a block for an entry, evicting others until it fits; null if it cannot fit. */
  @Nullable Draft allocate(byte[] key, long hash, long valueLength) {
    if (valueLength < 0) {
      throw new IllegalArgumentException("a negative length: " + valueLength);
    }
    turn.requireUsable();
    var block = new AtomicReference<Space.@Nullable Block>();
    // An encrypted block holds the key as well, and looks like a value without one.
    int keyLength = sealing == null ? key.length : 0;
    long extra = sealing == null ? 0 : (long) key.length + Sealing.OVERHEAD;
    if (valueLength <= space.maxBlock() - keyLength - extra) {
      int length = (int) (valueLength + extra); // a segment has at most 1 GiB
      // What was never used is found before anything is evicted for want of room. What earlier
      // openings left free in segments that were not read yet is not waited for.
      var known = new AtomicInteger();
      do {
        changes.run(
            () -> {
              known.set(space.readyCount());
              turn.whole(() -> block.set(space.take(keyLength, length, null)));
            },
            this::hasSpace);
      } while (block.get() == null && fillNext(known.get()));
      if (block.get() == null) {
        long before = counters.ended(Cause.SIZE).sum();
        boolean allKnown;
        do {
          allKnown = removals.isIndexed();
          changes.run(() -> block.set(take(keyLength, length)), this::hasSpace);
          if (block.get() == null && !allKnown) {
            boolean _ = recovery.next(); // the more entries are known, the more can make room
          }
        } while (block.get() == null && !allKnown);
        Events.evicted(counters.ended(Cause.SIZE).sum() - before, valueLength);
      }
    }
    Space.Block taken = block.get();
    if (taken == null) {
      counters.rejects.increment();
      return null;
    }
    return new Draft(taken, key, hash, (int) valueLength, sealing);
  }

  /**
   * Fills one more segment with zeros, without the cache's lock: that takes long. Neither listeners
   * nor syncs run meanwhile, which would wait for a thread that waits here.
   *
   * @param known how many segments gave out space when there was not enough
   * @return whether one more does now
   */
  private boolean fillNext(int known) {
    synchronized (filling) {
      var next = new AtomicReference<@Nullable Segment>();
      var isLate = new AtomicBoolean();
      turn.run(
          () -> {
            isLate.set(space.readyCount() > known);
            next.set(space.nextFresh());
          });
      Segment segment = next.get();
      if (isLate.get() || segment == null) {
        return isLate.get();
      }
      var full = new AtomicReference<@Nullable DiskFullException>();
      try {
        turn.guarded(
            () -> {
              try {
                segment.fill();
              } catch (DiskFullException e) {
                full.set(e);
              }
            });
      } catch (MediumException e) {
        turn.requireOpen(); // a file that was closed meanwhile did not fail
        throw e;
      }
      DiskFullException failure = full.get();
      turn.run(
          () -> {
            if (failure == null) {
              turn.whole(() -> space.filled(segment));
            } else {
              space.diskFull(failure);
            }
          });
      return failure == null;
    }
  }

  private Space.@Nullable Block take(int keyLength, int valueLength) {
    int granules = Slots.granules(keyLength, valueLength);
    var block = new AtomicReference<Space.@Nullable Block>();
    var victim = new AtomicInteger();
    long evicted = 0;
    int near = -1;
    for (int cleared = 0; ; ) {
      turn.whole(() -> block.set(space.take(keyLength, valueLength, this::evict)));
      if (block.get() != null) {
        progress.changed();
        return block.get();
      }
      if (evicted > (long) PATIENCE * granules) {
        victim.set(-1);
      } else {
        turn.whole(() -> victim.set(policy.victim()));
      }
      int slot = victim.get();
      if (slot >= 0) {
        near = slots.segment(slot);
        evicted += slots.weight(slot);
        boolean _ = evict(slot);
      } else if (evicted == 0 && !removals.isIndexed()) {
        return null; // no entry is known that could be in the way
      } else if (cleared++ > PATIENCE || !space.clear(granules, near, this::evict)) {
        return null;
      }
    }
  }

  private boolean evict(int slot) {
    return entries.end(slot, Cause.SIZE);
  }

  /** Whether a segment gives out space, or can, or none will. */
  private boolean hasSpace() {
    return removals.isIndexed() || space.isUsable();
  }

  /** Makes the entry of a draft, which must not be used any more. */
  void insert(Draft draft, long expiry) {
    int crc = complete(draft);
    long now = expiries.now();
    changes.run(() -> entries.make(draft, crc, expiry, now));
    counters.inserts.increment();
    durability.forceEnds(draft.hash());
  }

  /**
   * Makes the entry of a draft for the one of another key, with its times, and ends that one; makes
   * none if that one ended, or if there is one of the draft's key. The draft must not be used any
   * more.
   *
   * @param old where the other entry is, pinned
   * @param sequence of the other entry
   * @param hash of the other entry's key
   */
  void insertFor(Draft draft, int old, long sequence, long hash) {
    int crc = complete(draft);
    changes.run(() -> entries.makeFor(draft, crc, old, sequence));
    durability.forceEnds(hash);
    durability.forceEnds(draft.hash());
  }

  /** Stores what the block lacks, or gives it back; returns its checksum. */
  private int complete(Draft draft) {
    try {
      int crc = sealing == null ? storeKey(draft) : seal(draft, sealing);
      MappedFaults.arrive();
      return crc;
    } catch (Throwable t) {
      Closing.after(t, () -> abandon(draft));
      throw t;
    }
  }

  /** Stores value and key, encrypted; returns zero, since they have a tag instead. */
  private static int seal(Draft draft, Sealing its) {
    try {
      draft.seal(its);
    } finally {
      draft.filled();
    }
    return 0;
  }

  /** Stores the key behind the value; returns their checksum. */
  private static int storeKey(Draft draft) {
    CacheFile memory = draft.block().segment().memory();
    Region region = memory.region();
    long offset = draft.block().offset();
    draft.filled();
    byte[] key = draft.key();
    region.copyFrom(offset + draft.valueLength(), key, 0, key.length);
    int length = draft.valueLength() + key.length;
    int crc = SlotLayout.blockCrc(region, offset, length);
    memory.forceDirectly(offset, length);
    return crc;
  }

  /** Gives the memory of a draft back, which must not be used any more. */
  void abandon(Draft draft) {
    turn.lock.lock();
    try {
      if (turn.isUsable()) {
        draft.filled();
        turn.change(() -> entries.abandon(draft.slot()));
      }
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
  }
}
