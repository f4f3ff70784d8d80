package io.everheap.journal;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets readers wait for records. A signal costs the appender one load, without a fence; a reader
 * that goes to sleep at the same moment may miss it, so each sleep is short and the reader checks
 * again.
 *
 * <p>The lock is a monitor, which the virtual machine releases whatever error ends the block. A
 * wait in a monitor lasts whole milliseconds; for the rest of its time a reader polls.
 */
final class Arrivals {
  private static final long LONGEST_WAIT = 10; // milliseconds
  private static final long POLL = 50_000; // nanoseconds

  private volatile int sleepers; // changed inside the monitor

  /** Wakes the readers that wait, since records arrived. */
  void signal() {
    if (sleepers > 0) {
      wakeAll();
    }
  }

  private synchronized void wakeAll() {
    notifyAll();
  }

  /**
   * Waits until a condition holds.
   *
   * @param nanos at most, from now
   * @return whether it holds
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(BooleanSupplier there, long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long start = System.nanoTime();
    while (!there.getAsBoolean()) {
      long left = nanos - (System.nanoTime() - start);
      if (left <= 0) {
        return false;
      }
      long millis = left / 1_000_000;
      if (millis == 0) {
        TimeUnit.NANOSECONDS.sleep(Math.min(left, POLL));
      } else {
        sleep(there, Math.min(millis, LONGEST_WAIT));
      }
    }
    return true;
  }

  @SuppressWarnings("WaitNotInLoop") // await is the loop
  private synchronized void sleep(BooleanSupplier there, long millis) throws InterruptedException {
    int before = sleepers;
    sleepers = before + 1;
    try {
      if (!there.getAsBoolean()) { // else the appender may have read the number of sleepers before
        wait(millis);
      }
    } finally {
      int now = sleepers; // by stores alone: a call may fail
      sleepers = now - 1;
    }
  }

  /** Readers that wait in the monitor. */
  int sleepers() {
    return sleepers;
  }
}
