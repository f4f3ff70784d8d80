package io.everheap.engine;

import io.everheap.memory.ClassesAhead;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads wait, by keys, until a commit changes something; a waiting thread holds no lock of
 * the heap. A thread registers ({@link #join}) inside the transaction that found nothing, for
 * example an empty queue. So a later transaction that adds something knows while it runs whether a
 * thread waits for it; if none does, there is no cost.
 *
 * <p>One thread is woken for each addition. Since it may stop waiting without using it, because of
 * an interrupt or a timeout, every thread that stops waiting wakes another one, which checks again.
 *
 * <p><b>Errors of the virtual machine</b> can strike in the commit that should wake a thread. So a
 * transaction {@linkplain #announce announces} its additions, and a waiting thread that sees an
 * announcement without a wake-up for some time checks by itself. The locks are monitors, which the
 * virtual machine releases whatever error ends the block.
 *
 * <p>Thread-safe.
 */
public final class Signals {
  /** Age of an announcement at which its wake-up is considered lost, in nanoseconds. */
  private static final long LOST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ConcurrentHashMap<Long, Signal> awaited = new ConcurrentHashMap<>();

  /** The threads that wait for one key. Its monitor guards the fields, except {@code waiters}. */
  private final class Signal {
    int waiters; // changed only in atomic updates of the map's entry
    private long events;
    private int announced; // announcements without a wake-up yet

    synchronized void announce() {
      announced++;
    }

    synchronized void wake(boolean all) {
      events++;
      announced = Math.max(0, announced - 1);
      if (all) {
        notifyAll();
      } else {
        notify();
      }
    }

    /** Called inside a transaction, so every transaction that announced something has ended. */
    synchronized long sample() {
      announced = 0;
      return events;
    }

    synchronized boolean awaitUntil(long deadline, long seen) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      boolean due = false;
      long since = 0;
      while (events == seen && !ended) {
        long now = System.nanoTime();
        if (deadline - now <= 0) {
          return false;
        }
        if (!due
            || announced == 0
            || writing.getAsBoolean()) { // the running one may have announced
          due = announced > 0;
          since = now;
        } else if (now - since >= LOST_AFTER_NANOS) {
          return true;
        }
        TimeUnit.NANOSECONDS.timedWait(this, Math.min(deadline - now, LOST_AFTER_NANOS));
      }
      return true;
    }
  }

  private final BooleanSupplier writing;
  private volatile boolean ended;

  /**
   * Creates signals without waiting threads.
   *
   * @param writing whether a transaction runs, whose announcements may still be followed by
   *     wake-ups
   */
  Signals(BooleanSupplier writing) {
    this.writing = writing;
    ClassesAhead.load(Signal.class); // for end()
  }

  /** Registers the calling thread as waiting for a key; inside a transaction. */
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

  /** Whether any thread waits for a key. */
  public boolean isAwaited(long key) {
    return awaited.containsKey(key);
  }

  /**
   * Announces that the running transaction adds what threads with this key wait for.
   *
   * @return whether a thread waits for it, so that the caller must wake it after the commit
   */
  public boolean announce(long key) {
    Signal signal = awaited.isEmpty() ? null : awaited.get(key);
    if (signal != null) {
      signal.announce();
    }
    return signal != null;
  }

  /** Wakes one of the threads that wait for a key, if there are any; after a commit. */
  public void wakeOne(long key) {
    Signal signal = awaited.get(key);
    if (signal != null) {
      signal.wake(false);
    }
  }

  /** Wakes all threads that wait for a key; after a commit. */
  public void wakeAll(long key) {
    Signal signal = awaited.get(key);
    if (signal != null) {
      signal.wake(true);
    }
  }

  /**
   * Lets no thread wait any more, because the heap is closed or stopped. A transaction that still
   * runs may register its thread afterwards; that does not wait either, and sees the reason in its
   * next transaction.
   */
  void end() {
    ended = true;
    wakeAll();
  }

  /** Wakes all threads of all keys. */
  void wakeAll() {
    awaited.values().forEach(signal -> signal.wake(true));
  }

  /** A waiting thread; used by that thread, and to be closed. */
  public final class Waiter implements AutoCloseable {
    private final long key;
    private final Signal signal;
    private long seen;

    private Waiter(long key, Signal signal) {
      this.key = key;
      this.signal = signal;
      this.seen = signal.sample();
    }

    /** Starts a new wait; called inside a transaction that found nothing again. */
    public void again() {
      seen = signal.sample();
    }

    /**
     * Waits for a wake-up since this was created or {@link #again} was called; may also return if
     * one may have been lost, and returns at once after {@link Signals#end}.
     *
     * @param deadline as a value of {@link System#nanoTime}
     * @return false if there was none until the deadline
     */
    public boolean awaitUntil(long deadline) throws InterruptedException {
      return signal.awaitUntil(deadline, seen);
    }

    /** Stops waiting, and wakes another thread of the key, which checks again. */
    @Override
    public void close() {
      Signal rest = awaited.computeIfPresent(key, (k, present) -> left(present));
      if (rest != null) {
        rest.wake(false);
      }
    }
  }

  private @Nullable Signal left(Signal signal) {
    signal.waiters--;
    return signal.waiters == 0 ? null : signal;
  }
}
