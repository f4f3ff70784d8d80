package io.everheap.cache;

import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.store.BlockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** When entries expire. Thread-safe. */
final class EntryTimes<K, V> {
  /** A read stores a later time if that makes so large a part of the time to idle. */
  private static final int PRECISION = 1024;

  private final long afterWrite; // milliseconds; 0 for none
  private final long afterAccess;
  private final @Nullable CacheExpiry<? super K, ? super V> expiry;
  private final LongSupplier clock;

  EntryTimes(
      @Nullable Duration afterWrite,
      @Nullable Duration afterAccess,
      @Nullable CacheExpiry<? super K, ? super V> expiry,
      LongSupplier clock) {
    this.afterWrite = afterWrite == null ? 0 : Math.max(1, millis(afterWrite));
    this.afterAccess = afterAccess == null ? 0 : Math.max(1, millis(afterAccess));
    this.expiry = expiry;
    this.clock = clock;
  }

  /** When an entry expires that is written now. */
  long written(K key, V value, boolean isNew) {
    long now = clock.getAsLong();
    if (expiry != null) {
      Duration time = isNew ? expiry.afterCreate(key, value) : expiry.afterUpdate(key, value);
      return time == null ? SlotLayout.NEVER : after(now, time);
    }
    long least = SlotLayout.NEVER;
    if (afterWrite > 0) {
      least = later(now, afterWrite);
    }
    if (afterAccess > 0) {
      least = Math.min(least, later(now, afterAccess));
    }
    return least;
  }

  /** Whether afterCreate and afterUpdate may differ. */
  boolean distinguishesUpdates() {
    return expiry != null;
  }

  /** The time, in milliseconds since 1970. */
  long now() {
    return clock.getAsLong();
  }

  /** When an entry expires that is put with a time of its own. */
  long in(Duration time) {
    return after(clock.getAsLong(), time);
  }

  private static long after(long now, Duration time) {
    return later(now, Math.max(0, millis(time)));
  }

  private static long millis(Duration time) {
    try {
      return time.toMillis();
    } catch (ArithmeticException e) {
      return time.isNegative() ? 0 : SlotLayout.NEVER;
    }
  }

  /** A time so many milliseconds later, if there is one. */
  private static long later(long now, long millis) {
    return millis > SlotLayout.NEVER - Math.max(0, now)
        ? SlotLayout.NEVER
        : Math.max(1, now + millis);
  }

  /** Milliseconds since 1970; {@link Instant#MAX} is never. */
  static long millis(Instant time) {
    try {
      return Math.max(1, time.toEpochMilli());
    } catch (ArithmeticException e) {
      return time.isAfter(Instant.EPOCH) ? SlotLayout.NEVER : 1;
    }
  }

  /** Puts the time off of a pinned entry that was read. */
  void read(BlockStore store, int slot, K key, V value) {
    if (expiry != null) {
      Optional<Duration> time = expiry.afterRead(key, value);
      if (time.isPresent()) {
        store.expiry(slot, after(clock.getAsLong(), time.get()));
      }
    } else if (afterAccess > 0) {
      long next = later(clock.getAsLong(), afterAccess);
      if (afterWrite > 0) {
        next = Math.min(next, later(store.written(slot), afterWrite));
      }
      if (next - store.expiry(slot) >= Math.max(1, afterAccess / PRECISION)) {
        store.expiry(slot, next);
      }
    }
  }
}
