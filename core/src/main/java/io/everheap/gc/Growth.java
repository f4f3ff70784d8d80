package io.everheap.gc;

import io.everheap.engine.tx.StoreBarrier;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the bytes that transactions allocate, and wakes the collecting thread when they reach a
 * threshold. Freed bytes are not subtracted.
 *
 * <p>The counter is for the thread that holds the writer lock; {@link #reached} is for any thread.
 */
final class Growth implements StoreBarrier {
  private static final long MIN_BYTES = 1 << 20;

  private final double share;
  private final Thread thread;
  private volatile boolean reached;
  private long bytes;
  private long threshold;

  /**
   * Starts at 0.
   *
   * @param share of the heap's size at which the thread is woken
   * @param capacity of the home image, in bytes
   * @param thread to wake
   */
  Growth(double share, long capacity, Thread thread) {
    this.share = share;
    this.thread = thread;
    this.threshold = threshold(capacity);
  }

  private long threshold(long capacity) {
    return Math.max(MIN_BYTES, (long) (share * capacity));
  }

  /** Whether the threshold is reached. */
  boolean reached() {
    return reached;
  }

  /** Starts from 0 again. */
  void reset(long capacity) {
    bytes = 0;
    threshold = threshold(capacity);
    reached = false;
  }

  @Override
  public void allocated(long reference, long payload) {
    bytes += payload;
    if (bytes >= threshold && !reached) {
      reached = true;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void stored(long reference) {}
}
