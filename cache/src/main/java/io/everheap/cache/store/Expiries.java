package io.everheap.cache.store;

import io.everheap.cache.format.SlotLayout;
import java.util.function.LongSupplier;

/**
 * The times at which entries expire. Thread-safe, without locks; slots are pinned by the caller.
 *
 * <pre>
 *   field  mode      guard
 *   any    volatile  set once
 * </pre>
 */
final class Expiries {
  private final Slots slots;
  private final Contents contents;
  private final Durability durability;
  private final LongSupplier clock;
  private volatile boolean any;

  /** By a clock that tells milliseconds since 1970. */
  Expiries(Slots slots, Contents contents, Durability durability, LongSupplier clock) {
    this.slots = slots;
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
    SlotLayout.expiry(slots.region(slot), slots.offset(slot), time);
    if (isSooner) {
      durability.expiresSooner(slots.file(slot), slots.offset(slot), SlotLayout.SIZE);
    }
  }
}
