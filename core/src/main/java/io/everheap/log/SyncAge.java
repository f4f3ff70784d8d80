package io.everheap.log;

import java.util.function.LongSupplier;

/**
 * Decides whether the oldest record that is not durable is too old: older than the interval plus
 * one sync. It reads the clock for the first record after each capture (the start of a sync), and
 * then for every record, or in a burst for every {@value #MAX_STEP}th, because reading the clock
 * takes a tenth of the time of a commit.
 *
 * <pre>
 *   field      mode       guard
 *   captured   volatile   written by the leader
 *   lastSync   volatile   written by the leader
 *   others     plain      used by the appender only
 * </pre>
 */
public final class SyncAge {
  private static final int MAX_STEP = 64;
  private static final long BURST_NANOS = 10_000; // less than this between two checks is a burst

  private final long interval;
  private final LongSupplier clock;
  private volatile long captured;
  private volatile long lastSync;

  private long stampedFor = -1;
  private long stamp; // time of the first record after the last capture
  private long olderStamp; // time of the first record after the capture before
  private long lastCheck; // the last reading of the clock since the last capture
  private int step; // records from that reading to the next one
  private int skip; // records that are left until the next reading

  /** Creates it with an interval in nanoseconds, for a log that is durable below a LSN. */
  public SyncAge(long interval, long lsn, LongSupplier clock) {
    this.interval = interval;
    this.captured = lsn;
    this.clock = clock;
  }

  /** Called by the leader before it writes everything below {@code lsn}. */
  public void begin(long lsn) {
    captured = lsn;
  }

  /** Called by the leader after a write, with its duration in nanoseconds. */
  public void end(long nanos) {
    lastSync = nanos;
  }

  /** Called by the appender before a record: whether it must wait for a sync first. */
  public boolean overdue(long appended, long durable) {
    long seen = captured;
    if (seen != stampedFor) {
      olderStamp = stampedFor < 0 ? clock.getAsLong() : stamp;
      stamp = clock.getAsLong();
      stampedFor = seen;
      lastCheck = stamp;
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
    step = now - lastCheck < BURST_NANOS ? Math.min(MAX_STEP, 2 * step) : 1;
    skip = step;
    lastCheck = now;
    boolean inFlight = durable < seen;
    return now - (inFlight ? olderStamp : stamp) > interval + lastSync;
  }
}
