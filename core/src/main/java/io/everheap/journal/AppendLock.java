package io.everheap.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock of appenders. It is usually held for a fraction of a microsecond, so a thread that finds
 * it taken spins, then sleeps briefly; releasing it is one store, which wakes no thread. An
 * interrupt does not end the wait.
 *
 * <p>A {@code finally} releases it by assigning {@link #FREE} to {@link #state}: that calls no
 * method, so it works when the stack or the Java heap is exhausted.
 */
final class AppendLock {
  private static final VarHandle STATE;
  private static final int SPINS = 300;
  private static final long LONGEST_SLEEP = 500_000;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(AppendLock.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static final int FREE = 0;

  volatile int state;

  void lock() {
    if (!tryLock()) {
      await();
    }
  }

  boolean tryLock() {
    return STATE.compareAndSet(this, FREE, 1);
  }

  void unlock() {
    STATE.setRelease(this, FREE);
  }

  private void await() {
    boolean interrupted = false;
    long sleep = 10_000;
    for (int i = 0; ; i++) {
      if ((int) STATE.getOpaque(this) == FREE && tryLock()) {
        break;
      }
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, sleep);
        interrupted |= Thread.interrupted();
        sleep = Math.min(2 * sleep, LONGEST_SLEEP);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
