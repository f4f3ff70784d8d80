package io.everheap.log;

import java.util.function.LongSupplier;

/**
 * Knows whether the oldest record that is not durable is too old: older than the interval and one
 * sync. The appender asks; it looks at the clock for the first record after each capture, and then
 * for every record, or in a burst for every {@value #MOST}th, for a look takes as long as a tenth
 * of a commit.
 *
 * <pre>
 *   field      mode       guard
 *   captured   volatile   written by the leader
 *   lastSync   volatile   written by the leader
 *   others     plain      the writer lock
 * </pre>
 */
public final class SyncAge {
  private static final int MOST = 64;
  private static final long BURST = 10_000; // nanoseconds between two looks

  private final long interval;
  private final LongSupplier clock;
  private volatile long captured;
  private volatile long lastSync;

  private long stampedFor = -1;
  private long stamp; // when the first record after the last capture was appended
  private long olderStamp; // the same for the capture before
  private long looked; // when the clock was last looked at for the present capture
  private int step; // records from that look to the next one
  private int skip; // records that are left until then

  /** Creates it for an interval in nanoseconds and a log that is durable below a LSN. */
  public SyncAge(long interval, long lsn, LongSupplier clock) {
    this.interval = interval;
    this.captured = lsn;
    this.clock = clock;
  }

  /** By the leader, before it writes everything below {@code lsn}. */
  public void begin(long lsn) {
    captured = lsn;
  }

  /** By the leader, after a write that took so many nanoseconds. */
  public void end(long nanos) {
    lastSync = nanos;
  }

  /** By the appender, before a record: whether it must wait for a sync first. */
  public boolean overdue(long appended, long durable) {
    long seen = captured;
    if (seen != stampedFor) {
      olderStamp = stampedFor < 0 ? clock.getAsLong() : stamp;
      stamp = clock.getAsLong();
      stampedFor = seen;
      looked = stamp;
      step = 1;
      skip = 1;
      return false;
    }
    if (appended == durable) {
      stamp = clock.getAsLong();
      return false;
    }
    if (--skip > 0) {
      return false;
    }
    long now = clock.getAsLong();
    step = now - looked < BURST ? Math.min(MOST, 2 * step) : 1;
    skip = step;
    looked = now;
    boolean inFlight = durable < seen;
    return now - (inFlight ? olderStamp : stamp) > interval + lastSync;
  }
}
