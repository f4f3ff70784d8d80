package io.everheap.engine.tx;

import io.everheap.error.LockTimeoutException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one lock of a heap, and what else a reader of a single word has to look at, in one place.
 *
 * <p>{@code writer} is stored only by the thread that it names: itself once it holds the lock, then
 * null before it unlocks. So a thread that reads its own name there is inside a transaction,
 * whatever stale value others may see, and the check needs no fence.
 *
 * <h2>Errors of the virtual machine</h2>
 *
 * A StackOverflowError can strike at any call, an OutOfMemoryError at any allocation, also in a
 * {@code finally}. So the lock is one word, and to take it ends with a compare-and-set and to give
 * it up is a store: neither can be cut in half, as the several words of a {@link
 * java.util.concurrent.locks.ReentrantLock} can. To wake the next thread takes calls, which may
 * fail; therefore a waiting thread looks again by itself after {@link #slice}.
 *
 * <p>What must be said when nothing can be called any more is a store to {@link #endsDue} or {@link
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
 *   broken    volatile         the first cause stays, but for races
 * </pre>
 */
public final class WriterLock {
  private static final VarHandle OWNER;
  private static final VarHandle WAITERS;

  /**
   * How often a thread looks whether the lock is free before it gives its core away: as long as
   * giving it away and getting it back takes, which is many times as long as most transactions.
   */
  private static final int LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 200 : 0;

  /** Most nanoseconds after which a waiting thread looks again without being woken. */
  private static final long SLICE = TimeUnit.SECONDS.toNanos(1);

  /** How long an end is due that is taken for lost, in nanoseconds. */
  private static final long LOST_AFTER = TimeUnit.SECONDS.toNanos(1);

  /** Longest wait before the log tells what the holder does. */
  private static final long WARN_AFTER = TimeUnit.SECONDS.toNanos(10);

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OWNER = lookup.findVarHandle(WriterLock.class, "owner", Thread.class);
      WAITERS = lookup.findVarHandle(WriterLock.class, "waiters", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The thread that holds the lock, to write or to read; stored to give the lock up. */
  volatile @Nullable Thread owner;

  @Nullable Thread writer;

  /** Number of views open in any thread; a thread always sees its own. */
  int views;

  /** Number of the transaction, the running or the last one. */
  long turn;

  /** Number of the ends that began, those of levels within included. */
  long ends;

  /** The transaction that the log told of last, since it ran for long. */
  private long warnedTurn;

  /**
   * How many levels of the running transaction have to end: one from the moment on at which a
   * {@code finally} is about to call {@link Transactions#end}, less than none while that runs. As
   * long as it is more than none, its thread counts as outside of the transaction; see there.
   */
  public int endsDue;

  /**
   * Why nothing is known of the state of the heap any more. The next thread that takes the lock, or
   * waits for it, finds this and poisons the heap.
   */
  public volatile @Nullable Throwable broken;

  /**
   * Two more than twice the number of commits that freed objects, and of rollbacks; odd while a
   * commit is being applied; never 0, which a reader may find in a handle that reached it by a
   * race.
   */
  private long frees = 2;

  /** Whether the running transaction may be one. */
  boolean freeing;

  private final Queue<Waiter> waiting = new ConcurrentLinkedQueue<>();

  /**
   * At least as many as there are in the queue: the thread that gives the lock up looks at this
   * alone.
   */
  private volatile int waiters;

  private final long timeoutNanos;
  private final long slice;

  /** A thread that waits. */
  private static final class Waiter {
    final Thread thread;
    volatile boolean queued = true;

    Waiter(Thread thread) {
      this.thread = thread;
    }
  }

  WriterLock(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
    this.slice = Math.min(SLICE, timeoutNanos / 4);
  }

  /** Whether a thread holds the lock. */
  public boolean isHeld() {
    return owner != null;
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
   * A number that changes before a commit frees an object, or changes its layout, and once more
   * when it did. A reader takes it, sees that an object is there, and knows it is still there while
   * {@link #isStill} says so.
   */
  public long frees() {
    long now = frees;
    VarHandle.loadLoadFence();
    return now & -2; // while one is being applied: a number that is over
  }

  /** Whether the number is the one that {@link #frees} returned; what was loaded before counts. */
  public boolean isStill(long number) {
    VarHandle.loadLoadFence();
    return frees == number;
  }

  /** Says that the running transaction frees an object, or changes its layout. */
  void noteFree() {
    freeing = true;
  }

  /** Called by the writer before it applies what the transaction stored. */
  void beforeApply() {
    if (freeing) {
      frees++;
      VarHandle.storeStoreFence();
    }
  }

  /** Called by the writer after that. */
  void afterApply() {
    if (freeing) {
      VarHandle.storeStoreFence();
      frees++;
    }
  }

  /**
   * Called by the writer when blocks that it allocated are gone, and others may get their places.
   */
  void rolledBack() {
    VarHandle.storeStoreFence();
    frees += 2;
  }

  /** Whether the lock is held by this thread, to write or to read. */
  @SuppressWarnings("ReferenceEquality")
  boolean isHeldBy(Thread thread) {
    return owner == thread;
  }

  /** Takes the lock if it is free. */
  private boolean tryLock(Thread self) {
    return owner == null && OWNER.compareAndSet(this, null, self);
  }

  /**
   * Takes the lock; not reentrant. An interrupt does not end the wait and is kept. The caller looks
   * at {@link #broken} when it has the lock.
   *
   * @param self the calling thread
   * @return false, without the lock, if the heap broke while this thread waited
   * @throws LockTimeoutException after the time that was given
   */
  boolean acquire(Thread self) {
    return lookForIt(self) || await(self, timeoutNanos);
  }

  /** Takes the lock however long it takes; for the rest see {@link #acquire}. */
  boolean lock(Thread self) {
    return lookForIt(self) || await(self, Long.MAX_VALUE);
  }

  /** Takes the lock if it is free, or will be soon; says whether it did. */
  boolean lookForIt(Thread self) {
    if (tryLock(self)) {
      return true;
    }
    for (int i = 0; i < LOOKS; i++) {
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
    WAITERS.getAndAdd(this, 1);
    try {
      waiting.add(waiter);
      while (!tryLock(self)) {
        if (broken != null) {
          return false;
        }
        if (!waiter.queued) { // woken, and another thread was faster
          if (lookForIt(self)) {
            break;
          }
          waiter.queued = true;
          waiting.add(waiter);
          continue;
        }
        LockSupport.parkNanos(this, Math.min(slice, watch.left()));
        interrupted |= Thread.interrupted();
        watch.look();
      }
      return leave(waiter, true);
    } catch (RuntimeException | Error e) {
      if (owner == self) {
        owner = null;
      }
      leave(waiter, false);
      throw e;
    } finally {
      WAITERS.getAndAdd(this, -1);
      if (interrupted) {
        self.interrupt();
      }
    }
  }

  /** Waits for a moment, or until the lock is free, without taking it. */
  void awaitFree() {
    boolean interrupted = false;
    long start = System.nanoTime();
    while (owner != null && System.nanoTime() - start < slice) {
      LockSupport.parkNanos(this, 1_000_000);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A wake-up that reached a thread which does not wait any more is passed on. */
  private boolean leave(Waiter waiter, boolean taken) {
    boolean polled = !waiter.queued || !waiting.remove(waiter);
    if (!taken && polled) {
      wakeNext();
    }
    return taken;
  }

  /** Wakes a waiting thread, if there is one; after the lock was given up by a store. */
  void wakeNext() {
    if (waiters != 0) {
      Waiter next = waiting.poll();
      if (next != null) {
        next.queued = false;
        LockSupport.unpark(next.thread);
      }
    }
  }

  /** What a waiting thread keeps an eye on. */
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

    void look() {
      long waited = System.nanoTime() - start;
      lookForLostEnd(waited);
      if (waited >= timeout) {
        throw timedOut();
      }
      if (!warned && waited >= Math.clamp(timeout / 4, LOST_AFTER, WARN_AFTER)) {
        warned = true;
        if (warnedTurn != turn) { // one warning for each transaction is enough
          warnedTurn = turn;
          warn(waited);
        }
      }
    }

    /**
     * An end that was due a while ago, and has not begun since, never will: its call failed. A due
     * end lasts for some instructions otherwise. Each level of a transaction has an end, so they
     * are counted: two looks may meet two ends.
     */
    private void lookForLostEnd(long waited) {
      long nowTurn = turn;
      long nowEnds = ends;
      if (endsDue <= 0) {
        dueTurn = -1;
      } else if (dueTurn != nowTurn || dueEnds != nowEnds) {
        dueTurn = nowTurn;
        dueEnds = nowEnds;
        dueSince = waited;
      } else if (waited - dueSince >= LOST_AFTER && broken == null) {
        broken = lostEnd();
      }
    }

    private void warn(long waited) {
      System.getLogger("io.everheap")
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
      String who =
          holder == null || !writes
              ? "another thread, which reads or checks," + (holder == null ? "" : " " + holder)
              : holder.toString();
      LockTimeoutException e = new LockTimeoutException(who, timeoutNanos);
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

  /** What is said of a transaction whose end could not even be called. */
  Throwable lostEnd() {
    return new IllegalStateException(
        "the thread "
            + writer
            + " could not end its transaction: its stack, or the Java heap, was exhausted");
  }

  /** Whether a thread has the lock, or waits for it. */
  boolean isWanted() {
    return owner != null || waiters != 0;
  }
}
