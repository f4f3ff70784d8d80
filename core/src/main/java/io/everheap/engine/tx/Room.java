package io.everheap.engine.tx;

import io.everheap.error.EverheapException;
import io.everheap.error.LockTimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Room in a heap that is full, or nearly: blocks that earlier transactions gave up, and that are
 * freed in the background. The next outermost transaction waits until they are free, since one that
 * has begun cannot use what others free.
 *
 * <p>Thread-safe.
 */
public final class Room {
  private final ReentrantLock making = new ReentrantLock();
  private final AtomicLong requests = new AtomicLong();
  private volatile long met; // the requests for which room was made
  private volatile Runnable maker = () -> {};

  Room() {}

  /**
   * Sets what frees these blocks.
   *
   * @param newMaker runs transactions, and returns when nothing is left
   */
  public void madeBy(Runnable newMaker) {
    maker = newMaker;
  }

  /** Makes the next transactions wait for room; called by any thread. */
  public void want() {
    requests.incrementAndGet();
  }

  boolean isWanted() {
    return requests.get() != met;
  }

  /** Makes room, or waits until another thread has; returns at once inside of that. */
  void make() {
    if (making.isHeldByCurrentThread()) {
      return;
    }
    making.lock();
    long last = requests.get(); // a request that comes later may be for blocks that are not seen
    try {
      if (last != met) {
        maker.run();
      }
    } catch (LockTimeoutException e) {
      throw e;
    } catch (EverheapException e) {
      // The background logs it, or the transaction that is about to begin fails with the same.
    } finally {
      met = last;
      making.unlock();
    }
  }
}
