package io.everheap.cache.store;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What happened since a cache was opened. Thread-safe. */
public final class Counters {
  /** Lookups that found an entry. */
  public final LongAdder hits = new LongAdder();

  /** Lookups that found none. */
  public final LongAdder misses = new LongAdder();

  /** Entries inserted. */
  public final LongAdder inserts = new LongAdder();

  /** Insertions refused for want of room. */
  public final LongAdder rejects = new LongAdder();

  /** Entries of earlier openings that are served. */
  public final LongAdder recovered = new LongAdder();

  /** Entries lost to damage: headers, overlapping blocks, values. */
  public final LongAdder damaged = new LongAdder();

  /** Pins that were never closed. */
  public final LongAdder leaks = new LongAdder();

  private final Map<Cause, LongAdder> ended = new EnumMap<>(Cause.class);

  /** All zero. */
  public Counters() {
    for (Cause cause : Cause.values()) {
      ended.put(cause, new LongAdder());
    }
  }

  /** Entries that ended for a reason. */
  public LongAdder ended(Cause cause) {
    return Objects.requireNonNull(ended.get(cause));
  }
}
