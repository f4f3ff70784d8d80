package io.everheap.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait until a commit changes something, by keys, without holding anything of the
 * heap's. A thread joins inside the transaction that found nothing; so a later transaction that
 * brings something knows, while it runs, whether anything waits for it, and one that nothing waits
 * for pays nothing.
 *
 * <p>One thread is woken for each thing that a commit brings. Since it may leave without taking it,
 * for it was interrupted or its time was up, every thread that leaves wakes another one, which
 * looks again.
 *
 * <p><b>Errors of the virtual machine</b> can strike in the commit that should wake a thread. So a
 * transaction {@linkplain #announce announces} what it brings, and a waiting thread that sees an
 * announcement without its wake-up for a while looks by itself. The locks are monitors, which the
 * virtual machine gives up whatever error ends the block.
 */
public final class Signals {
  /** How long an announcement stands until its wake-up is taken for lost, in nanoseconds. */
  private static final long LOST_AFTER = TimeUnit.SECONDS.toNanos(1);

  private final ConcurrentHashMap<Long, Signal> awaited = new ConcurrentHashMap<>();

  /** Where the threads that wait for one key wait. Its monitor guards the other fields. */
  private static final class Signal {
    private final BooleanSupplier writing;
    int waiters; // changed inside the map only
    private long events;
    private int announced; // by transactions that have not woken anything yet

    Signal(BooleanSupplier writing) {
      this.writing = writing;
    }

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

    /** Inside a transaction: none that announced something has to commit yet. */
    synchronized long look() {
      announced = 0;
      return events;
    }

    synchronized boolean awaitUntil(long deadline, long seen) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      boolean due = false;
      long since = 0;
      while (events == seen) {
        long now = System.nanoTime();
        if (deadline - now <= 0) {
          return false;
        }
        if (!due || announced == 0 || writing.getAsBoolean()) { // it may be that transaction's
          due = announced > 0;
          since = now;
        } else if (now - since >= LOST_AFTER) {
          return true;
        }
        TimeUnit.NANOSECONDS.timedWait(this, Math.min(deadline - now, LOST_AFTER));
      }
      return true;
    }
  }

  private final BooleanSupplier writing;

  /**
   * Signals that nothing waits for.
   *
   * @param writing whether a transaction runs, which may yet wake what it announced
   */
  Signals(BooleanSupplier writing) {
    this.writing = writing;
  }

  /** Joins the threads that wait for a key; inside a transaction. To be closed. */
  public Waiter join(long key) {
    Signal signal =
        awaited.compute(
            key,
            (k, present) -> {
              Signal joined = present == null ? new Signal(writing) : present;
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
   * Says that the running transaction brings what a key stands for.
   *
   * @return whether any thread waits for it, and has to be woken after the commit
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

  /** Wakes all threads: the heap is closed or poisoned. */
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
      this.seen = signal.look();
    }

    /** Forgets what happened so far; inside a transaction that found nothing again. */
    public void again() {
      seen = signal.look();
    }

    /**
     * Waits until something happened since this was made, or {@link #again} was called; or may have
     * happened.
     *
     * @param deadline of {@link System#nanoTime}
     * @return false if nothing did until then
     */
    public boolean awaitUntil(long deadline) throws InterruptedException {
      return signal.awaitUntil(deadline, seen);
    }

    /** Leaves, and lets another one look. */
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
