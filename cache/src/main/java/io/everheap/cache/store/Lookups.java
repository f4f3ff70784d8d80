package io.everheap.cache.store;

import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.table.Pins;
import io.everheap.cache.table.SlotIndex;
import io.everheap.memory.BriefLock;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Region;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds entries and pins them. A lookup takes no lock and stores nothing on the medium, unless it
 * finds an entry that is damaged or expired, which it ends. Thread-safe.
 */
final class Lookups {
  private final Turn turn;
  private final SlotIndex index;
  private final Slots slots;
  private final Pins pins;
  private final Space space;
  private final Policy policy;
  private final Contents contents;
  private final Progress progress;
  private final Expiries expiries;
  private final Durability durability;
  private final Entries entries;
  private final Changes changes;
  private final Counters counters;

  Lookups(
      Base base,
      Contents contents,
      Progress progress,
      Durability durability,
      Expiries expiries,
      Entries entries,
      Changes changes) {
    this.turn = base.turn();
    this.index = base.index();
    this.slots = base.slots();
    this.pins = base.slots().pins();
    this.space = base.space();
    this.policy = base.policy();
    this.contents = contents;
    this.progress = progress;
    this.durability = durability;
    this.expiries = expiries;
    this.entries = entries;
    this.changes = changes;
    this.counters = base.counters();
  }

  /** Looks a key up and pins its entry; -1 if there is none. */
  int get(byte[] key, long hash) {
    int slot = served(find(key, hash));
    if (slot >= 0) {
      policy.accessed(slot);
      counters.hits.increment();
      return slot;
    }
    turn.requireOpen();
    counters.misses.increment();
    return -1;
  }

  /** The same without counting it as a use. */
  int peek(byte[] key, long hash) {
    int slot = served(find(key, hash));
    if (slot < 0) {
      turn.requireOpen();
    }
    return slot;
  }

  /**
   * Looks a key up in an encrypted cache, pins its entry and decrypts it.
   *
   * @param isUse whether this counts as a use
   * @return null if there is none
   */
  @Nullable Opened open(byte[] key, long hash, boolean isUse) {
    int slot = find(key, hash);
    Opened opened = null;
    try {
      opened = slot >= 0 && isInTime(slot) ? openPinned(slot, key) : null;
    } finally {
      if (opened == null && slot >= 0) {
        entries.unpin(slot);
      }
    }
    if (opened == null) {
      turn.requireOpen();
    }
    if (isUse && opened != null) {
      policy.accessed(slot);
    }
    if (isUse) {
      (opened == null ? counters.misses : counters.hits).increment();
    }
    return opened;
  }

  private @Nullable Opened openPinned(int slot, byte[] key) {
    Opened opened = openPinned(slot);
    if (opened == null || opened.hasKey(key)) {
      return opened;
    }
    opened.close();
    return null;
  }

  /** Decrypts a pinned entry; ends it if it is not authentic. */
  private @Nullable Opened openPinned(int slot) {
    Opened opened = contents.open(slot);
    if (opened == null) {
      end(slot, Cause.DAMAGED);
    } else if (!Pins.verified(pins.word(slot))) {
      pins.verify(slot);
    }
    return opened;
  }

  /** A pinned slot, if its entry is served; else its pin is taken away. -1 for none. */
  private int served(int slot) {
    boolean isServed = false;
    try {
      isServed = slot >= 0 && isServed(slot);
      return isServed ? slot : -1;
    } finally {
      if (slot >= 0 && !isServed) {
        entries.unpin(slot);
      }
    }
  }

  private int find(byte[] key, long hash) {
    while (true) {
      SlotIndex.Table table = index.table(hash);
      int replaced = table.replaced();
      int position = table.first(hash);
      for (long word = table.word(position); word != SlotIndex.EMPTY; word = table.word(position)) {
        if (SlotIndex.matches(word, hash)) {
          int slot = SlotIndex.slot(word);
          long its = contents.sequence(slot);
          if (isCurrent(its) && hasKey(slot, its, key, hash) && pin(slot, its)) {
            return slot;
          }
        }
        position = table.next(position);
      }
      // An entry that was replaced meanwhile may have ended when it was met, and its slot may be
      // another one's, or the same key's again: the words do not tell.
      VarHandle.acquireFence();
      if (table.replaced() == replaced && index.table(hash) == table) {
        return -1;
      }
    }
  }

  /**
   * Whether an entry that is not pinned has a key, if it is there still; ends it if the storage
   * cannot read that. So the words of slot, block and pins are loaded together: behind the pin,
   * which is a barrier, they would be waited for one after the other.
   */
  private boolean hasKey(int slot, long its, byte[] key, long hash) {
    try {
      boolean has = contents.hasKey(slot, key, hash);
      MappedFaults.arrive();
      return has;
    } catch (InternalError e) {
      if (pin(slot, its)) {
        try {
          end(slot, Cause.DAMAGED);
        } finally {
          entries.unpin(slot);
        }
      }
      return false;
    }
  }

  /** Pins an entry, unless it ended or is about to. */
  private boolean pin(int slot, long its) {
    int word = pins.pin(slot);
    boolean isLive = false;
    try {
      isLive = Pins.state(word) == Pins.LIVE && contents.sequence(slot) == its;
      return isLive;
    } finally {
      if (!isLive) {
        entries.unpin(slot);
      }
    }
  }

  /** Whether the entry did not end, and no invalidation of all entries covers it. */
  private boolean isCurrent(long its) {
    return its != 0 && its >= progress.validFrom();
  }

  /** Whether a pinned entry is whole and its time is not over; ends it if not. */
  private boolean isServed(int slot) {
    if (!Pins.verified(pins.word(slot))) {
      if (!contents.isWhole(slot)) {
        end(slot, Cause.DAMAGED);
        return false;
      }
      pins.verify(slot);
    }
    return isInTime(slot);
  }

  /** Whether the time of a pinned entry is not over; ends it if it is. */
  private boolean isInTime(int slot) {
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    if (expiries.any() && expiries.isOver(SlotLayout.expiry(region, offset))) {
      end(slot, Cause.EXPIRED);
      if (turn.isUsable()) {
        durability.forceEnds(SlotLayout.hash(region, offset)); // the clock may go back
      }
      return false;
    }
    return true;
  }

  /** Ends a pinned entry, unless it ended. */
  private void end(int slot, Cause cause) {
    if (turn.isUsable()) {
      changes.run(
          () -> {
            if (entries.isLive(slot)) {
              boolean _ = entries.end(slot, cause);
            }
          });
    }
  }

  /**
   * Visits the entries of one segment, each pinned meanwhile.
   *
   * @return whether all were visited
   */
  boolean visit(int segment, Visitor visitor) {
    List<Integer> found = new ArrayList<>();
    turn.lock.lock();
    try {
      space.segment(segment).forEachUsed(found::add);
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
    for (int slot : found) {
      int word = pins.pin(slot);
      try {
        if (Pins.state(word) == Pins.LIVE && isCurrent(contents.sequence(slot))) {
          // What is shown of an encrypted entry is decrypted then, which checks it.
          boolean isServed = contents.isSealed() ? isInTime(slot) : isServed(slot);
          if (isServed && !shows(slot, visitor)) {
            return false;
          }
        }
      } finally {
        entries.unpin(slot);
      }
    }
    return true;
  }

  /** Shows a pinned entry to a visitor; returns whether to go on. */
  private boolean shows(int slot, Visitor visitor) {
    if (!contents.isSealed()) {
      return visitor.visit(slot, contents.key(slot));
    }
    byte[] key;
    try (Opened opened = openPinned(slot)) {
      if (opened == null) {
        return true;
      }
      key = opened.key();
    }
    return visitor.visit(slot, key);
  }
}
