package io.everheap.benchmarks.cache;

import java.util.concurrent.locks.LockSupport;

/** Spans of time that are exact to about a microsecond, which a sleep is not. */
final class Pause {
  /** How much later than asked the system wakes a thread that parks; the rest is spun. */
  private static final long SLACK_NANOS = 70_000;

  private Pause() {}

  /** Waits, and leaves the processor to others as long as it can, as for a device. */
  static void await(long nanos) {
    if (nanos > 0) {
      long end = System.nanoTime() + nanos;
      if (nanos > SLACK_NANOS) {
        LockSupport.parkNanos(nanos - SLACK_NANOS);
      }
      spinUntil(end);
    }
  }

  /** Takes the processor for that long, as a computation does. */
  static void work(long nanos) {
    if (nanos > 0) {
      spinUntil(System.nanoTime() + nanos);
    }
  }

  private static void spinUntil(long end) {
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
