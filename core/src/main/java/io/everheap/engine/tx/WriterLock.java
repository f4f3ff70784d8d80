package io.everheap.engine.tx;

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

  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  boolean isWriter() {
    return writer == Thread.currentThread();
  }

  /** Takes the lock; interrupts do not end the wait. */
  void lock() {
    lock.lock();
  }

  boolean tryLock(long nanos) throws InterruptedException {
    return lock.tryLock(nanos, TimeUnit.NANOSECONDS);
  }

  void unlock() {
    lock.unlock();
  }

  boolean heldByCurrentThread() {
    return lock.isHeldByCurrentThread();
  }
}
