package io.everheap.gc;

import io.everheap.engine.tx.StoreBarrier;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the bytes that transactions allocate, and wakes a thread when they are enough for another
 * collection. What was freed meanwhile is not looked at.
 */
final class Growth implements StoreBarrier {
  private static final long LEAST = 1 << 20;

  private final double part;
  private final Thread thread;
  private volatile boolean reached;
  private long bytes;
  private long enough;

  /**
   * Nothing was allocated yet.
   *
   * @param part of the size of the heap that is enough
   * @param thread to be woken
   */
  Growth(double part, long capacity, Thread thread) {
    this.part = part;
    this.thread = thread;
    this.enough = enough(capacity);
  }

  private long enough(long capacity) {
    return Math.max(LEAST, (long) (part * capacity));
  }

  /** Whether it is enough. Any thread may ask. */
  boolean reached() {
    return reached;
  }

  /** Starts to count from 0, as the writer or while writers are kept out. */
  void reset(long capacity) {
    bytes = 0;
    enough = enough(capacity);
    reached = false;
  }

  @Override
  public void allocated(long reference, long payload) {
    bytes += payload;
    if (bytes >= enough && !reached) {
      reached = true;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void stored(long reference) {}
}
