package io.everheap.engine.tx;

import io.everheap.error.LockTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one lock of a heap. {@code writer} is stored only by the thread that it names: itself once it
 * holds the lock, then null before it unlocks. So a thread that reads its own name there is inside
 * a transaction, whatever stale value others may see, and the check needs no fence.
 */
final class WriterLock {
  @Nullable Thread writer;
  private final ReentrantLock lock = new ReentrantLock();
  private final long timeoutNanos;

  WriterLock(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  boolean isWriter() {
    return writer == Thread.currentThread();
  }

  /** Takes the lock however long it takes; interrupts do not end the wait. */
  void lock() {
    lock.lock();
  }

  /**
   * Takes the lock; interrupts do not end the wait and are kept.
   *
   * @throws LockTimeoutException after the time that was given
   */
  void acquire() {
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

  boolean heldByCurrentThread() {
    return lock.isHeldByCurrentThread();
  }
}
