package io.everheap.engine.tx;

import io.everheap.engine.event.EngineLogger;
import io.everheap.error.LockTimeoutException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The writer lock of a heap, together with the other fields that a reader of a single word checks,
 * so that these are close together in memory.
 *
 * <p>{@code writer} is stored only by the thread that it refers to: that thread when it holds the
 * lock, and null before it unlocks. So a thread that reads itself there is inside a transaction;
 * other threads may read a stale value, but never themselves. The check needs no fence.
 *
 * <h2>Errors of the virtual machine</h2>
 *
 * A StackOverflowError can strike at any call, an OutOfMemoryError at any allocation, even in a
 * {@code finally}. So the lock is one word: taking it ends with a compare-and-set, and releasing it
 * is a store. Neither can be interrupted half-way, as the several stores of a {@link
 * java.util.concurrent.locks.ReentrantLock} can. Waking the next thread takes calls, which may
 * fail; therefore a waiting thread checks again by itself after {@link #recheckNanos}.
 *
 * <p>Where no call is safe, state is recorded by plain stores to {@link #endsDue} and {@link
 * #broken}.
 *
 * <pre>
 *   field     mode             guard
 *   owner     volatile, CAS    -
 *   writer    plain            the lock
 *   endsDue   plain            the lock
 *   turn      plain            the lock
 *   ends      plain            the lock
 *   freeing   plain            the lock
 *   frees     plain, fences    the lock
 *   broken    volatile         the first cause stays, except in races
 * </pre>
 */
public final class WriterLock {
  private static final VarHandle OWNER;
  private static final VarHandle WAITERS;

  /**
   * Attempts of a thread to take the lock before it parks: about the time that parking and
   * unparking take, which is many times as long as most transactions.
   */
  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 200 : 0;

  /** Upper limit of {@link #recheckNanos}. */
  private static final long MAX_RECHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Time for which an end is due until it is considered lost, in nanoseconds. */
  private static final long LOST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Maximum wait before a warning with the stack of the lock's holder, in nanoseconds. */
  private static final long WARN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OWNER = lookup.findVarHandle(WriterLock.class, "owner", Thread.class);
      WAITERS = lookup.findVarHandle(WriterLock.class, "waiters", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The thread that holds the lock, to write or to read; a store of null releases the lock. */
  volatile @Nullable Thread owner;

  /** The thread that runs a transaction; see above. */
  @Nullable Thread writer;

  /** Number of open views in all threads; a thread always sees its own. */
  int views;

  /** Number of the running transaction, or of the last one. */
  long turn;

  /** Number of calls of {@link Transactions#end} that began, including those of nested levels. */
  long ends;

  /** The number of the transaction for which a warning was logged last. */
  private long warnedTurn;

  /**
   * The number of ends that are due: incremented just before a call of {@link Transactions#end},
   * negative while that method runs, and 0 otherwise. While it is positive, the thread counts as
   * outside of the transaction; see {@link Transactions}.
   */
  public int endsDue;

  /**
   * The failure after which the state of the heap is unknown, or null. The next thread that takes
   * the lock, or waits for it, finds this and poisons the heap.
   */
  public volatile @Nullable Throwable broken;

  /**
   * A version: increased by 2 by each commit that frees objects and by each rollback, and odd while
   * such a commit is applied. Starts at 2: 0 is what a reader may find in a handle that was
   * published by a race.
   */
  private long frees = 2;

  /** Whether the running transaction frees objects, or changes their layout. */
  boolean freeing;

  private final Queue<Waiter> waiting = new ConcurrentLinkedQueue<>();

  /**
   * At least the number of queued threads; the thread that releases the lock checks this field
   * first.
   */
  private volatile int waiters;

  private final long timeoutNanos;
  private final long recheckNanos;

  /** A waiting thread. */
  private static final class Waiter {
    final Thread thread;
    volatile boolean queued = true;

    Waiter(Thread thread) {
      this.thread = thread;
    }
  }

  WriterLock(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
    this.recheckNanos = Math.min(MAX_RECHECK_NANOS, timeoutNanos / 4);
  }

  /** Whether a thread holds the lock. */
  public boolean isHeld() {
    return owner != null;
  }

  /** The number of threads that wait for the lock, for statistics. */
  public int waiters() {
    return waiters;
  }

  /** Whether the calling thread is inside a transaction. */
  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  public boolean isWriter() {
    Thread now = writer;
    return now != null && now == Thread.currentThread() && endsDue <= 0;
  }

  /** Whether any thread has a view open; then a read ends with {@code Transactions.checkRead}. */
  public boolean hasViews() {
    return views != 0;
  }

  /**
   * A version that changes before and after a commit frees an object or changes its layout. A
   * reader samples it, then checks that an object exists; the object still exists as long as {@link
   * #isStill} returns true.
   */
  public long frees() {
    long now = frees;
    VarHandle.loadLoadFence();
    return now & -2; // while a commit is applied: an outdated version, which never validates
  }

  /** Whether the version is still the one that {@link #frees} returned; validates earlier loads. */
  public boolean isStill(long number) {
    VarHandle.loadLoadFence();
    return frees == number;
  }

  /** Notes that the running transaction frees an object, or changes its layout. */
  void noteFree() {
    freeing = true;
  }

  /** Called by the writer before it applies the stores of the transaction. */
  void beforeApply() {
    if (freeing) {
      frees++;
      VarHandle.storeStoreFence();
    }
  }

  /** Called by the writer after it applied them. */
  void afterApply() {
    if (freeing) {
      VarHandle.storeStoreFence();
      frees++;
    }
  }

  /**
   * Called by the writer after a rollback: blocks that it allocated no longer exist, and others may
   * get their places.
   */
  void rolledBack() {
    VarHandle.storeStoreFence();
    frees += 2;
  }

  /** Whether a thread holds the lock, to write or to read. */
  @SuppressWarnings("ReferenceEquality")
  boolean isHeldBy(Thread thread) {
    return owner == thread;
  }

  /** Takes the lock if it is free. */
  private boolean tryLock(Thread self) {
    return owner == null && OWNER.compareAndSet(this, null, self);
  }

  /**
   * Takes the lock; not reentrant. An interrupt does not end the wait and is kept. The caller must
   * check {@link #broken} when it has the lock.
   *
   * @param self the calling thread
   * @return false, without the lock, if the heap broke while this thread waited
   * @throws LockTimeoutException after the timeout
   */
  boolean acquire(Thread self) {
    return spinLock(self) || await(self, timeoutNanos);
  }

  /** Like {@link #acquire}, without a timeout. */
  boolean lock(Thread self) {
    return spinLock(self) || await(self, Long.MAX_VALUE);
  }

  /** Takes the lock if it is free or becomes free while this thread spins; false if it did not. */
  boolean spinLock(Thread self) {
    if (tryLock(self)) {
      return true;
    }
    for (int i = 0; i < SPINS; i++) {
      Thread.onSpinWait();
      if (tryLock(self)) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  private boolean await(Thread self, long timeout) {
    Waiter waiter = new Waiter(self);
    Watch watch = new Watch(timeout);
    boolean interrupted = false;
    try {
      WAITERS.getAndAdd(this, 1);
      try {
        waiting.add(waiter);
        while (!tryLock(self)) {
          if (broken != null) {
            return false;
          }
          if (!waiter.queued) { // woken, but another thread took the lock first
            if (spinLock(self)) {
              break;
            }
            waiter.queued = true;
            waiting.add(waiter);
            continue;
          }
          LockSupport.parkNanos(this, Math.min(recheckNanos, watch.left()));
          interrupted |= Thread.interrupted();
          watch.check();
        }
        return leave(waiter, true);
      } finally {
        if (interrupted) {
          self.interrupt();
        }
        WAITERS.getAndAdd(this, -1);
      }
    } catch (RuntimeException | Error e) {
      if (owner == self) { // what ends the wait failed
        owner = null;
      }
      leave(waiter, false);
      throw e;
    }
  }

  /** Waits until the lock is free, but not longer than {@link #recheckNanos}; does not take it. */
  void awaitFree() {
    boolean interrupted = false;
    long start = System.nanoTime();
    while (owner != null && System.nanoTime() - start < recheckNanos) {
      LockSupport.parkNanos(this, 1_000_000);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Removes a waiter; passes a wake-up on that it received but did not use. */
  private boolean leave(Waiter waiter, boolean taken) {
    boolean polled = !waiter.queued || !waiting.remove(waiter);
    if (!taken && polled) {
      wakeNext();
    }
    return taken;
  }

  /** Wakes a waiting thread, if there is one; called after the store that released the lock. */
  void wakeNext() {
    if (waiters != 0) {
      Waiter next = waiting.poll();
      if (next != null) {
        next.queued = false;
        LockSupport.unpark(next.thread);
      }
    }
  }

  /** The timeout, warning, and detection of a lost end, for one waiting thread. */
  private final class Watch {
    private final long start = System.nanoTime();
    private final long timeout;
    private boolean warned;
    private long dueTurn = -1;
    private long dueEnds = -1;
    private long dueSince;

    Watch(long timeout) {
      this.timeout = timeout;
    }

    long left() {
      return timeout - (System.nanoTime() - start);
    }

    void check() {
      long waited = System.nanoTime() - start;
      detectLostEnd(waited);
      if (waited >= timeout) {
        throw timedOut();
      }
      if (!warned && waited >= Math.clamp(timeout / 4, LOST_AFTER_NANOS, WARN_AFTER_NANOS)) {
        warned = true;
        if (warnedTurn != turn) { // one warning for each transaction
          warnedTurn = turn;
          warn(waited);
        }
      }
    }

    /**
     * Breaks the heap if an end has been due for some time and has not begun: then its call failed,
     * since normally only a few instructions lie between. The ends are counted, because each nested
     * level has one, and two checks may find two different ones due.
     */
    private void detectLostEnd(long waited) {
      long nowTurn = turn;
      long nowEnds = ends;
      if (endsDue <= 0) {
        dueTurn = -1;
      } else if (dueTurn != nowTurn || dueEnds != nowEnds) {
        dueTurn = nowTurn;
        dueEnds = nowEnds;
        dueSince = waited;
      } else if (waited - dueSince >= LOST_AFTER_NANOS && broken == null) {
        broken = lostEnd();
      }
    }

    private void warn(long waited) {
      EngineLogger.get()
          .log(
              System.Logger.Level.WARNING,
              "a transaction has been waiting for its turn for "
                  + TimeUnit.NANOSECONDS.toMillis(waited)
                  + " ms; the stack of the thread that holds the lock follows",
              holder());
    }

    private LockTimeoutException timedOut() {
      Thread holder = owner;
      boolean writes = holder != null && holder.equals(writer);
      String description =
          holder == null || !writes
              ? "another thread, which reads or checks," + (holder == null ? "" : " " + holder)
              : holder.toString();
      LockTimeoutException e = new LockTimeoutException(description, timeoutNanos);
      e.addSuppressed(holder());
      return e;
    }
  }

  /** The stack of the thread that holds the lock. */
  private Throwable holder() {
    Thread holder = owner;
    Throwable trace = new IllegalStateException("held by " + holder);
    trace.setStackTrace(holder == null ? new StackTraceElement[0] : holder.getStackTrace());
    return trace;
  }

  /** The cause for a transaction whose end could not be called. */
  Throwable lostEnd() {
    return new IllegalStateException(
        "the thread "
            + writer
            + " could not end its transaction: its stack, or the Java heap, was exhausted");
  }

  /** Whether a thread holds the lock, or waits for it. */
  boolean isWanted() {
    return owner != null || waiters != 0;
  }
}
