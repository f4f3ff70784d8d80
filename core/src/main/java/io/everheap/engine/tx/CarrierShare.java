package io.everheap.engine.tx;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets virtual threads that read on and on give their carriers away at times. Their scheduler never
 * takes one away: while readers that never wait have them all, no other virtual thread goes on, not
 * even one that holds the writer's turn, and with it stand all threads that wait for that turn.
 *
 * <p>To yield would not do: the scheduler prefers what a carrier has in its own queue, which is the
 * reader, to a thread that was woken elsewhere. So the reader parks for a moment.
 */
final class CarrierShare {
  /** As long as an operating system lets a thread run while others wait. */
  private static final long SLICE_NANOS = 5_000_000;

  private final WriterLock lock;
  private final BooleanSupplier commits;

  /** When a reader looked whether it should; plain, since a race only makes another one look. */
  private long looked = System.nanoTime();

  /**
   * For the readers of a heap.
   *
   * @param commits whether threads may be waiting until their commits are durable
   */
  CarrierShare(WriterLock lock, BooleanSupplier commits) {
    this.lock = lock;
    this.commits = commits;
  }

  /** To be called before a read that takes much longer than a look at the time. */
  void beforeRead() {
    if (Thread.currentThread().isVirtual() && System.nanoTime() - looked > SLICE_NANOS) {
      looked = System.nanoTime();
      if (!lock.isHeldBy(Thread.currentThread()) && (lock.isWanted() || commits.getAsBoolean())) {
        give();
      }
    }
  }

  private void give() {
    boolean interrupted = Thread.interrupted(); // else it would not park
    LockSupport.parkNanos(this, 1);
    if (interrupted) {
      LockSupport.parkNanos(this, 1); // the interrupt was the permit of the first one
      Thread.currentThread().interrupt();
    }
  }
}
