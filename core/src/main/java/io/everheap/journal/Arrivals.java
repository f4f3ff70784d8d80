package io.everheap.journal;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Where readers wait for records. Telling them costs the appender one look, without a fence; who
 * goes to sleep at that very moment may miss it, and looks again by itself soon.
 */
final class Arrivals {
  private static final long LONGEST_SLEEP = 10_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private volatile int sleepers;

  /** Something arrived. */
  void signal() {
    if (sleepers > 0) {
      wakeAll();
    }
  }

  private void wakeAll() {
    lock.lock();
    try {
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until something is there.
   *
   * @param nanos at most, from now
   * @return whether it is
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(BooleanSupplier there, long nanos) throws InterruptedException {
    long start = System.nanoTime();
    lock.lockInterruptibly();
    sleep(1);
    try {
      while (!there.getAsBoolean()) {
        long left = nanos - (System.nanoTime() - start);
        if (left <= 0) {
          return false;
        }
        arrived.awaitNanos(Math.min(left, LONGEST_SLEEP));
      }
      return true;
    } finally {
      sleep(-1);
      lock.unlock();
    }
  }

  /** Holding the lock. */
  private void sleep(int change) {
    int before = sleepers;
    sleepers = before + change;
  }
}
