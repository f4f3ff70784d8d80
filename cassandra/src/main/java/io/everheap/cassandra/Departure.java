package io.everheap.cassandra;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.concurrent.ScheduledFuture;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The time for which a table that gets another memtable keeps the one that it has: as long as a
 * write may take that began with the schema before, and so is in no commit log. Thread-safe.
 */
final class Departure {
  private @Nullable ScheduledFuture<?> end; // guarded by this; null unless it is under way

  synchronized boolean isUnderWay() {
    return end != null;
  }

  /** Begins, unless it is under way; the action runs at the end. */
  synchronized void begin(Runnable action) {
    if (end == null) {
      end =
          ScheduledExecutors.optionalTasks.schedule(
              action, 2 * DatabaseDescriptor.getWriteRpcTimeout(MILLISECONDS), MILLISECONDS);
    }
  }

  /** The table keeps its memtable. */
  synchronized void cancel() {
    if (end != null) {
      end.cancel(false);
      end = null;
      notifyAll();
    }
  }

  /** Waits until the time is over or it was cancelled; an interrupt is kept. */
  synchronized void await() {
    boolean interrupted = false;
    for (ScheduledFuture<?> now = end; now != null; now = end) {
      long left = now.getDelay(NANOSECONDS);
      if (left <= 0) {
        break;
      }
      try {
        NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
