package io.everheap.journal;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Where readers wait for records. Telling them costs the appender one look, without a fence; a
 * reader that goes to sleep at that very moment may miss it, and looks again by itself soon.
 *
 * <p>The lock is a monitor, which the virtual machine gives up whatever error ends the block.
 */
final class Arrivals {
  private static final long LONGEST_SLEEP = 10_000_000;

  private volatile int sleepers; // changed inside the monitor

  /** Something arrived. */
  void signal() {
    if (sleepers > 0) {
      wakeAll();
    }
  }

  private synchronized void wakeAll() {
    notifyAll();
  }

  /**
   * Waits until something is there.
   *
   * @param nanos at most, from now
   * @return whether it is
   * @throws InterruptedException if the thread is interrupted
   */
  synchronized boolean await(BooleanSupplier there, long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long start = System.nanoTime();
    int before = sleepers;
    sleepers = before + 1;
    try {
      while (!there.getAsBoolean()) {
        long left = nanos - (System.nanoTime() - start);
        if (left <= 0) {
          return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, LONGEST_SLEEP));
      }
      return true;
    } finally {
      int now = sleepers; // by stores alone: a call may fail
      sleepers = now - 1;
    }
  }
}
