package io.everheap.engine.tx;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Makes virtual threads that read without a pause release their carriers from time to time. The
 * scheduler of virtual threads does not preempt: while readers occupy all carriers, no other
 * virtual thread runs, not even the one that holds the writer lock, so all threads that wait for
 * the lock are blocked as well.
 *
 * <p>{@code Thread.yield} is not enough: the scheduler prefers the threads in a carrier's own
 * queue, where the reader is, to those that were woken elsewhere. So the reader parks for a moment.
 *
 * <p>Thread-safe; the one field that changes is used without synchronization.
 */
final class CarrierShare {
  /** Time slice of a reader; that of common operating systems. */
  private static final long SLICE_NANOS = 5_000_000;

  private final WriterLock lock;
  private final BooleanSupplier commits;

  /** Time of the last check by any reader; plain, since a race only causes another check. */
  private long lastCheck = System.nanoTime();

  /**
   * Creates the share for the readers of a heap.
   *
   * @param commits whether threads may be waiting for their commits to become durable
   */
  CarrierShare(WriterLock lock, BooleanSupplier commits) {
    this.lock = lock;
    this.commits = commits;
  }

  /** Called before a read that takes much longer than reading the clock. */
  void beforeRead() {
    if (Thread.currentThread().isVirtual() && System.nanoTime() - lastCheck > SLICE_NANOS) {
      lastCheck = System.nanoTime();
      if (!lock.isHeldBy(Thread.currentThread()) && (lock.isWanted() || commits.getAsBoolean())) {
        yieldCarrier();
      }
    }
  }

  private void yieldCarrier() {
    boolean interrupted = Thread.interrupted(); // an interrupted thread does not park
    LockSupport.parkNanos(this, 1);
    if (interrupted) {
      LockSupport.parkNanos(this, 1); // the interrupt gave the permit that ended the first park
      Thread.currentThread().interrupt();
    }
  }
}
