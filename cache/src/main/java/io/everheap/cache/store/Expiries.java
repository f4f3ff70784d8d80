package io.everheap.cache.store;

import io.everheap.cache.format.SlotLayout;
import io.everheap.memory.BriefLock;
import java.util.function.LongSupplier;

/**
 * The times at which entries expire. Thread-safe, without locks but for changes of an encrypted
 * cache; slots are pinned by the caller.
 *
 * <pre>
 *   field  mode      guard
 *   any    volatile  set once
 * </pre>
 */
final class Expiries {
  private final Turn turn;
  private final Slots slots;
  private final Removals removals;
  private final Contents contents;
  private final Durability durability;
  private final LongSupplier clock;
  private volatile boolean any;

  /** By a clock that tells milliseconds since 1970. */
  Expiries(
      Base base, Contents contents, Durability durability, Removals removals, LongSupplier clock) {
    this.turn = base.turn();
    this.slots = base.slots();
    this.removals = removals;
    this.contents = contents;
    this.durability = durability;
    this.clock = clock;
  }

  /** The time, in milliseconds since 1970. */
  long now() {
    return clock.getAsLong();
  }

  /** There is an entry that expires at a time; {@link SlotLayout#NEVER}. */
  void note(long time) {
    any = any || time != SlotLayout.NEVER;
  }

  /** Whether there was an entry that expires. */
  boolean any() {
    return any;
  }

  /** Whether a time at which an entry expires is over. */
  boolean isOver(long time) {
    return time != SlotLayout.NEVER && time <= clock.getAsLong();
  }

  /** Lets an entry expire at another time. */
  void set(int slot, long time) {
    note(time);
    boolean isSooner = time < contents.expiry(slot);
    if (contents.isSealed()) {
      setSealed(slot, time);
    } else {
      SlotLayout.expiry(slots.region(slot), slots.offset(slot), time);
    }
    if (isSooner) {
      durability.expiresSooner(slots.file(slot), slots.stored(slot), SlotLayout.SIZE);
    }
  }

  /**
   * The slot of an encrypted cache is stored anew, between an end and a start: a crash may end the
   * entry. After a failure of the medium it keeps its time.
   */
  private void setSealed(int slot, long time) {
    turn.lock.lock();
    try {
      long sequence = contents.sequence(slot);
      if (turn.isUsable() && sequence != 0) {
        turn.change(
            () ->
                turn.whole(
                    () -> {
                      removals.rememberEnd(slots.hash(slot), sequence);
                      SlotLayout.expiry(slots.region(slot), slots.offset(slot), time);
                      slots.store(slot);
                    }));
      }
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
  }
}
