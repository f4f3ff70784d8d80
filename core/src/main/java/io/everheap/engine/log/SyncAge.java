package io.everheap.engine.log;

import java.util.function.LongSupplier;

/**
 * Knows whether the oldest record that is not durable is too old: older than the interval and one
 * sync. The appender asks; it looks at the clock only for the first record after each capture,
 * while a sync is in flight, and every {@value #EVERY} records.
 *
 * <pre>
 *   field      mode       guard
 *   captured   volatile   written by the leader
 *   lastSync   volatile   written by the leader
 *   others     plain      the writer lock
 * </pre>
 */
final class SyncAge {
  private static final int EVERY = 64;

  private final long interval;
  private final LongSupplier clock;
  private volatile long captured;
  private volatile long lastSync;

  private long stampedFor = -1;
  private long stamp; // when the first record after the last capture was appended
  private long olderStamp; // the same for the capture before
  private int count;

  SyncAge(long interval, long lsn, LongSupplier clock) {
    this.interval = interval;
    this.captured = lsn;
    this.clock = clock;
  }

  /** By the leader, before it writes everything below {@code lsn}. */
  void begin(long lsn) {
    captured = lsn;
  }

  /** By the leader, after a write that took so many nanoseconds. */
  void end(long nanos) {
    lastSync = nanos;
  }

  /** By the appender, before a record: whether it must wait for a sync first. */
  boolean overdue(long appended, long durable) {
    long seen = captured;
    if (seen != stampedFor) {
      olderStamp = stampedFor < 0 ? clock.getAsLong() : stamp;
      stamp = clock.getAsLong();
      stampedFor = seen;
      return false;
    }
    if (appended == durable) {
      stamp = clock.getAsLong();
      return false;
    }
    boolean inFlight = durable < seen;
    if (!inFlight && (++count & (EVERY - 1)) != 0) {
      return false;
    }
    return clock.getAsLong() - (inFlight ? olderStamp : stamp) > interval + lastSync;
  }
}
