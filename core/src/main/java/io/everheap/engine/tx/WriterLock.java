package io.everheap.engine.tx;

import io.everheap.error.LockTimeoutException;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one lock of a heap, and what else a reader of a single word has to look at, in one place.
 *
 * <p>{@code writer} is stored only by the thread that it names: itself once it holds the lock, then
 * null before it unlocks. So a thread that reads its own name there is inside a transaction,
 * whatever stale value others may see, and the check needs no fence.
 */
public final class WriterLock {
  /**
   * How often a thread looks whether the lock is free before it gives its core away: as long as
   * giving it away and getting it back takes, which is many times as long as most transactions.
   */
  private static final int LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 200 : 0;

  @Nullable Thread writer;

  /** Number of views open in any thread; a thread always sees its own. */
  int views;

  /**
   * Two more than twice the number of commits that freed objects, and of rollbacks; odd while a
   * commit is being applied; never 0, which a reader may find in a handle that reached it by a
   * race.
   */
  private long frees = 2;

  /** Whether the running transaction may be one. */
  private boolean freeing;

  private final ReentrantLock lock = new ReentrantLock();
  private final long timeoutNanos;

  WriterLock(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  /** Whether the calling thread is inside a transaction. */
  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  public boolean isWriter() {
    Thread now = writer;
    return now != null && now == Thread.currentThread(); // who that is costs two loads
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

  /** Called by the writer at the end of a transaction, whatever became of it. */
  void ended() {
    freeing = false;
  }

  /** Takes the lock however long it takes; interrupts do not end the wait. */
  void lock() {
    if (!lookForIt()) {
      lock.lock();
    }
  }

  /** Takes the lock if it is free, or will be soon; says whether it did. */
  boolean lookForIt() {
    if (lock.tryLock()) {
      return true;
    }
    for (int i = 0; i < LOOKS; i++) {
      Thread.onSpinWait();
      if (!lock.isLocked() && lock.tryLock()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes the lock; interrupts do not end the wait and are kept.
   *
   * @throws LockTimeoutException after the time that was given
   */
  void acquire() {
    if (lookForIt()) {
      return;
    }
    boolean interrupted = false;
    try {
      long deadline = 0;
      while (true) {
        try {
          long left = deadline == 0 ? timeoutNanos : deadline - System.nanoTime();
          if (lock.tryLock(left, TimeUnit.NANOSECONDS)) {
            return;
          }
          Thread holder = writer;
          String who =
              holder == null ? "another thread, which reads or checks," : holder.toString();
          throw new LockTimeoutException(who, timeoutNanos);
        } catch (InterruptedException e) {
          interrupted = true;
          if (deadline == 0) {
            deadline = System.nanoTime() + timeoutNanos;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void unlock() {
    lock.unlock();
  }

  /** Whether a thread has the lock, or waits for it. */
  boolean isWanted() {
    return lock.isLocked() || lock.hasQueuedThreads();
  }

  boolean heldByCurrentThread() {
    return lock.isHeldByCurrentThread();
  }
}
