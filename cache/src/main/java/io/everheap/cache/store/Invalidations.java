package io.everheap.cache.store;

import io.everheap.cache.format.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

/** Ends entries that a program does not want any more, or whose time is over. Thread-safe. */
final class Invalidations {
  private final Turn turn;
  private final Slots slots;
  private final Space space;
  private final Superblocks superblocks;
  private final Contents contents;
  private final Progress progress;
  private final Durability durability;
  private final Expiries expiries;
  private final Removals removals;
  private final Entries entries;
  private final Changes changes;

  Invalidations(
      Base base,
      Superblocks superblocks,
      Contents contents,
      Progress progress,
      Durability durability,
      Expiries expiries,
      Removals removals,
      Entries entries,
      Changes changes) {
    this.turn = base.turn();
    this.slots = base.slots();
    this.space = base.space();
    this.superblocks = superblocks;
    this.contents = contents;
    this.progress = progress;
    this.durability = durability;
    this.expiries = expiries;
    this.removals = removals;
    this.entries = entries;
    this.changes = changes;
  }

  /** Ends the entry of a key; returns whether there was one, as far as entries are known. */
  boolean remove(byte[] key, long hash, Cause cause) {
    turn.requireUsable();
    var found = new AtomicBoolean();
    changes.run(
        () -> {
          int slot = entries.find(key, hash);
          removals.rememberAll(hash);
          if (slot >= 0) {
            boolean _ = entries.end(slot, cause);
            found.set(true);
          }
        });
    durability.forceEnds(hash);
    return found.get();
  }

  /** Ends a pinned entry, unless it ended; returns whether it did so. */
  boolean remove(int slot, Cause cause) {
    turn.requireUsable();
    var ended = new AtomicBoolean();
    changes.run(
        () -> {
          if (entries.isLive(slot)) {
            removals.rememberAll(slots.hash(slot));
            boolean _ = entries.end(slot, cause);
            ended.set(true);
          }
        });
    durability.forceEnds(slots.hash(slot));
    return ended.get();
  }

  /** Ends all entries that were made until now; durable when it returns, in any mode. */
  void removeAll() {
    turn.requireUsable();
    dropBefore(state -> state);
  }

  /** Ends all entries that were written under another token. */
  void token(long token) {
    turn.requireUsable();
    if (token != superblocks.state().token()) {
      dropBefore(state -> state.token(token, state.validFrom()));
    }
  }

  private void dropBefore(UnaryOperator<State> further) {
    changes.run(
        () -> {
          long next = progress.next();
          superblocks.update(
              state ->
                  further.apply(state).validFrom(next).formed(next).flag(State.REFORMED, true));
          progress.validFrom(next);
        });
    long first = progress.validFrom();
    long _ = sweep(slot -> contents.sequence(slot) < first, Cause.EXPLICIT);
  }

  /** Ends entries whose time is over; returns how many. */
  long expire() {
    if (!expiries.any() || !removals.isIndexed()) {
      return 0;
    }
    long now = expiries.now();
    long ended = sweep(slot -> contents.expiry(slot) <= now, Cause.EXPIRED);
    if (ended > 0) {
      durability.forceAllEnds(); // the clock may go back
    }
    return ended;
  }

  /** Ends entries, segment by segment; returns how many. */
  private long sweep(IntPredicate which, Cause cause) {
    var count = new AtomicLong();
    for (int i = 0; i < space.segmentCount(); i++) {
      Segment segment = space.segment(i);
      changes.run(
          () -> {
            List<Integer> found = new ArrayList<>();
            segment.forEachUsed(
                slot -> {
                  if (entries.isLive(slot) && which.test(slot)) {
                    found.add(slot);
                  }
                });
            for (int slot : found) {
              boolean _ = entries.end(slot, cause);
              count.incrementAndGet();
            }
          });
    }
    return count.get();
  }
}
