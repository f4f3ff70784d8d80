package io.everheap.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock that is usually held for less than a microsecond or two, so a thread that finds it taken
 * spins, then sleeps briefly; releasing it is one store, which wakes no thread. An interrupt does
 * not end the wait. A thread that holds it and takes it again waits for ever.
 *
 * <p>A {@code finally} releases it by assigning {@link #FREE} to {@link #state}: that calls no
 * method, so it works when the stack or the Java heap is exhausted.
 */
public final class BriefLock {
  private static final VarHandle STATE;
  private static final VarHandle WAITING;
  private static final int SPINS = 300;
  private static final long LONGEST_SLEEP = 500_000;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(BriefLock.class, "state", int.class);
      WAITING = lookup.findVarHandle(BriefLock.class, "waiting", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The state of a lock that no thread holds. */
  public static final int FREE = 0;

  /** {@link #FREE}, or 1; assigned by the thread that holds the lock, to release it. */
  public volatile int state;

  private volatile int waiting;

  /** A lock that no thread holds. */
  public BriefLock() {}

  /**
   * Takes the lock, and waits for it if need be. If it throws, when the stack or the Java heap is
   * exhausted, this thread has not got the lock.
   */
  public void lock() {
    if (!tryLock()) {
      boolean _ = await(Long.MAX_VALUE);
    }
  }

  /**
   * Takes the lock, and waits for it if need be, but not much longer than a time. Throws as {@link
   * #lock} does.
   *
   * @return whether this thread has the lock
   */
  public boolean tryLock(long nanos) {
    return tryLock() || await(nanos);
  }

  /** Takes the lock if no thread holds it. */
  public boolean tryLock() {
    return STATE.compareAndSet(this, FREE, 1);
  }

  /** Releases the lock. */
  public void unlock() {
    STATE.setRelease(this, FREE);
  }

  /**
   * Whether threads wait for it now. True for ever after an error struck just when a thread was to
   * end its wait: good for decisions that are no more than a matter of speed.
   */
  public boolean isWanted() {
    return waiting > 0;
  }

  private boolean await(long nanos) {
    boolean taken = false;
    boolean interrupted = false;
    try {
      WAITING.getAndAdd(this, 1);
      try {
        long sleep = 10_000;
        long start = System.nanoTime();
        for (int i = 0; ; i++) {
          if ((int) STATE.getOpaque(this) == FREE && tryLock()) {
            taken = true;
            break;
          }
          if (i < SPINS) {
            Thread.onSpinWait();
          } else if (System.nanoTime() - start > nanos) {
            break;
          } else {
            LockSupport.parkNanos(this, sleep);
            interrupted |= Thread.interrupted();
            sleep = Math.min(2 * sleep, LONGEST_SLEEP);
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        WAITING.getAndAdd(this, -1);
      }
    } catch (Throwable t) {
      if (taken) { // what ends the wait failed, and the caller does not release it
        state = FREE;
      }
      throw t;
    }
    return taken;
  }
}
