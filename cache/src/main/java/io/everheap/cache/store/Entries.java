package io.everheap.cache.store;

import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.table.Pins;
import io.everheap.cache.table.SlotIndex;
import io.everheap.memory.BriefLock;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Region;
import org.jspecify.annotations.Nullable;

/**
 * Makes and ends entries: on the medium, in the index and in the policy. All methods but {@link
 * #unpin}, which takes it, run under the cache's lock.
 *
 * <h2>Order of stores</h2>
 *
 * An entry is made by storing its slot's sequence after everything else of it, and ended by storing
 * 0 there. A new entry is made before the one that it replaces ends; between the two, the larger
 * sequence counts. On byte-addressable storage each of these stores is forced before the next. On
 * files they outlive the process at once; a sync makes them durable, and after a power loss only
 * the entries up to the sequence of the last sync count. In strict mode on files all entries count,
 * and the end of an entry is forced before an operation on its key returns.
 *
 * <p>A change that ends with an error before its first store leaves everything as it was; behind
 * that, nothing may change any more: the index would not lead to what the medium holds.
 *
 * <pre>
 *   field     mode   guard
 *   retiring  plain  the cache's lock
 *   index     plain  changed under the cache's lock
 *   policy    plain  the cache's lock, but for accesses
 * </pre>
 */
final class Entries {
  private final Turn turn;
  private final Slots slots;
  private final Pins pins;
  private final Space space;
  private final SlotIndex index;
  private final Policy policy;
  private final Contents contents;
  private final Progress progress;
  private final Durability durability;
  private final Expiries expiries;
  private final Removals removals;
  private final Departures departures;
  private final Counters counters;
  private long retiring; // granules of entries that ended while pinned

  Entries(
      Base base,
      Contents contents,
      Progress progress,
      Durability durability,
      Expiries expiries,
      Removals removals,
      Departures departures) {
    this.turn = base.turn();
    this.slots = base.slots();
    this.pins = base.slots().pins();
    this.space = base.space();
    this.index = base.index();
    this.policy = base.policy();
    this.contents = contents;
    this.progress = progress;
    this.durability = durability;
    this.expiries = expiries;
    this.removals = removals;
    this.departures = departures;
    this.counters = base.counters();
  }

  /**
   * The slot of a key; -1 if there is none. An entry whose key the storage cannot read is taken for
   * that of its hash: it must not be served when its key was put or removed since.
   */
  int find(byte[] key, long hash) {
    return index.find(
        hash,
        other -> {
          try {
            boolean has = contents.hasKey(other, key, hash);
            MappedFaults.arrive();
            return has;
          } catch (InternalError e) {
            return slots.hash(other) == hash;
          }
        });
  }

  /** Whether a slot has an entry. */
  boolean isLive(int slot) {
    return Pins.state(pins.word(slot)) == Pins.LIVE;
  }

  /** Granules of entries that ended and are pinned. */
  long retiring() {
    return retiring;
  }

  /** Makes an entry, then ends the one that it replaces. */
  void make(Draft draft, int crc, long expiry, long now) {
    int slot = draft.slot();
    int old;
    Departure replaced;
    long its;
    try {
      old = find(draft.key(), draft.hash());
      replaced = old < 0 ? null : departures.of(old, Cause.REPLACED);
      its = progress.next();
    } catch (Throwable t) {
      abandon(slot);
      throw t;
    }
    expiries.note(expiry);
    turn.halfway = true;
    publish(draft, crc, its, expiry, now);
    enter(slot, draft.hash(), old, replaced);
    policy.added(slot);
    turn.halfway = false;
  }

  /**
   * Makes an entry of another key for an old one, with its times, then ends the old one, of which
   * no listener is told. Makes none if the old one ended, or if there is one of the other key.
   */
  void makeFor(Draft draft, int crc, int old, long sequence) {
    int slot = draft.slot();
    boolean isThere;
    boolean isTaken;
    long its;
    try {
      isThere =
          isLive(old) && contents.sequence(old) == sequence && sequence >= progress.validFrom();
      isTaken = find(draft.key(), draft.hash()) >= 0;
      its = progress.next();
    } catch (Throwable t) {
      abandon(slot);
      throw t;
    }
    if (!isThere || isTaken) {
      abandon(slot);
      if (isThere) {
        endUntold(old, Cause.RENAMED);
      }
      return;
    }
    turn.halfway = true;
    publish(draft, crc, its, contents.expiry(old), contents.written(old));
    index.add(draft.hash(), slot);
    boolean _ = unlink(old, Cause.RENAMED, null);
    policy.added(slot);
    turn.halfway = false;
  }

  /** Makes an entry that the index does not lead to yet. */
  private void publish(Draft draft, int crc, long its, long expiry, long written) {
    int slot = draft.slot();
    CacheFile memory = slots.file(slot);
    Region region = slots.region(slot);
    long at = slots.offset(slot);
    SlotLayout.fill(
        region, at, memory.salt(), its, draft.hash(), crc, draft.seal(), expiry, written);
    SlotLayout.publish(region, at, its);
    slots.store(slot);
    memory.forceDirectly(slots.stored(slot), SlotLayout.SIZE);
    removals.rememberAll(draft.hash());
    pins.publish(slot, true);
  }

  /** Lets the index lead to a slot, in the place of an old one; -1 for none. */
  private void enter(int slot, long hash, int old, @Nullable Departure replaced) {
    if (old >= 0) {
      index.replace(hash, old, slot);
      boolean _ = unlink(old, Cause.REPLACED, replaced);
    } else {
      index.add(hash, slot);
    }
  }

  /** Ends an entry; returns whether its block is free, else it will be when the last pin is. */
  boolean end(int slot, Cause cause) {
    Departure departure = departures.of(slot, cause);
    boolean outer = turn.halfway;
    turn.halfway = true;
    boolean isFree = unlink(slot, cause, departure);
    turn.halfway = outer;
    return isFree;
  }

  /** Ends an entry, of which no listener is told. */
  void endUntold(int slot, Cause cause) {
    boolean outer = turn.halfway;
    turn.halfway = true;
    boolean _ = unlink(slot, cause, null);
    turn.halfway = outer;
  }

  private boolean unlink(int slot, Cause cause, @Nullable Departure departure) {
    CacheFile memory = slots.file(slot);
    Region region = slots.region(slot);
    long at = slots.offset(slot);
    long hash = SlotLayout.hash(region, at);
    removals.rememberEnd(hash, SlotLayout.sequence(region, at));
    kill(slot);
    departures.add(departure);
    durability.ended(hash, memory, slots.stored(slot), Long.BYTES);
    if (cause != Cause.REPLACED) { // else it leads to the new one
      index.remove(hash, slot);
    }
    policy.removed(slot, cause == Cause.SIZE);
    counters.ended(cause).increment();
    if (cause == Cause.DAMAGED) {
      counters.damaged.increment();
    }
    if (pins.retire(slot)) {
      space.give(slot);
      return true;
    }
    retiring += slots.weight(slot);
    return false;
  }

  private void kill(int slot) {
    progress.changed();
    slots.kill(slot);
    slots.file(slot).forceDirectly(slots.stored(slot), Long.BYTES);
  }

  /**
   * Adds an entry of an earlier opening. An entry with the same key and a larger sequence wins,
   * whichever was found first.
   */
  void restore(int slot) {
    Region region = slots.region(slot);
    long at = slots.offset(slot);
    long hash = SlotLayout.hash(region, at);
    long its = SlotLayout.sequence(region, at);
    if (its < progress.validFrom() || removals.covers(hash, its)) {
      drop(slot);
      return;
    }
    int other = // only then a block is read
        index.find(hash, known -> slots.hash(known) == hash && contents.haveSameKey(known, slot));
    if (other >= 0 && contents.sequence(other) > its) {
      drop(slot);
      return;
    }
    Departure replaced = other < 0 ? null : departures.of(other, Cause.REPLACED);
    pins.publish(slot, false);
    enter(slot, hash, other, replaced);
    policy.restored(slot);
    expiries.note(SlotLayout.expiry(region, at));
    counters.recovered.increment();
  }

  private void drop(int slot) {
    kill(slot);
    abandon(slot);
  }

  /** Gives a slot and its block back that has no entry. */
  void abandon(int slot) {
    boolean outer = turn.halfway;
    turn.halfway = true;
    pins.abandon(slot);
    space.give(slot);
    turn.halfway = outer;
  }

  /** Takes a pin away; gives the block back if the entry ended and this was the last pin. */
  void unpin(int slot) {
    if (pins.unpin(slot)) {
      turn.lock.lock();
      try {
        if (turn.isUsable()) {
          turn.change(
              () ->
                  turn.whole(
                      () -> {
                        retiring -= slots.weight(slot);
                        space.give(slot);
                      }));
        }
      } finally {
        turn.lock.state = BriefLock.FREE;
      }
    }
  }
}
