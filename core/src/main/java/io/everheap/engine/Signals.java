package io.everheap.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait until a commit changes something, by keys, without holding anything of the
 * heap's. A thread joins inside the transaction that found nothing; so a later transaction that
 * brings something knows, while it runs, whether anybody waits for it, and one that nobody waits
 * for pays nothing.
 *
 * <p>One thread is woken for each thing that a commit brings. Since it may leave without taking it,
 * for it was interrupted or its time was up, every thread that leaves wakes another one, which
 * looks again.
 */
public final class Signals {
  private final ConcurrentHashMap<Long, Signal> awaited = new ConcurrentHashMap<>();

  /** Where the threads that wait for one key wait. */
  private static final class Signal {
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    int waiters; // changed inside the map only
    long events; // guarded by the lock

    void wake(boolean all) {
      lock.lock();
      try {
        events++;
        if (all) {
          changed.signalAll();
        } else {
          changed.signal();
        }
      } finally {
        lock.unlock();
      }
    }

    long events() {
      lock.lock();
      try {
        return events;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Signals that nobody waits for. */
  Signals() {}

  /** Joins those who wait for a key; inside a transaction. To be closed. */
  public Waiter join(long key) {
    Signal signal =
        awaited.compute(
            key,
            (k, present) -> {
              Signal joined = present == null ? new Signal() : present;
              joined.waiters++;
              return joined;
            });
    return new Waiter(key, signal);
  }

  /** Whether anybody waits for a key; inside a transaction. */
  public boolean isAwaited(long key) {
    return !awaited.isEmpty() && awaited.containsKey(key);
  }

  /** Wakes one of those who wait for a key, if there are any; after a commit. */
  public void wakeOne(long key) {
    Signal signal = awaited.get(key);
    if (signal != null) {
      signal.wake(false);
    }
  }

  /** Wakes all who wait for a key; after a commit. */
  public void wakeAll(long key) {
    Signal signal = awaited.get(key);
    if (signal != null) {
      signal.wake(true);
    }
  }

  /** Wakes everybody: the heap is closed or poisoned. */
  void wakeEverybody() {
    awaited.values().forEach(signal -> signal.wake(true));
  }

  /** A thread that waits. */
  public final class Waiter implements AutoCloseable {
    private final long key;
    private final Signal signal;
    private long seen;

    private Waiter(long key, Signal signal) {
      this.key = key;
      this.signal = signal;
      this.seen = signal.events();
    }

    /** Forgets what happened so far; inside a transaction that found nothing again. */
    public void again() {
      seen = signal.events();
    }

    /**
     * Waits until something happened since this was made, or {@link #again} was called.
     *
     * @param deadline of {@link System#nanoTime}
     * @return false if nothing did until then
     */
    public boolean awaitUntil(long deadline) throws InterruptedException {
      signal.lock.lockInterruptibly();
      try {
        while (signal.events == seen) {
          long left = deadline - System.nanoTime();
          if (left <= 0) {
            return false;
          }
          boolean _ = signal.changed.await(left, TimeUnit.NANOSECONDS);
        }
        return true;
      } finally {
        signal.lock.unlock();
      }
    }

    /** Leaves, and has another one look. */
    @Override
    public void close() {
      Signal rest = awaited.computeIfPresent(key, (k, present) -> Signals.left(present));
      if (rest != null) {
        rest.wake(false);
      }
    }
  }

  private static @Nullable Signal left(Signal signal) {
    signal.waiters--;
    return signal.waiters == 0 ? null : signal;
  }
}
