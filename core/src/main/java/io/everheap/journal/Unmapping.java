package io.everheap.journal;

import io.everheap.memory.Region;
import java.util.concurrent.locks.LockSupport;

/** Gives memory back that somebody may just be computing a checksum of, or passing to a channel. */
final class Unmapping {
  private static final long PATIENCE = 1_000_000_000;
  private static final long PAUSE = 50_000;

  private Unmapping() {}

  /**
   * Does so, and waits a while for those who use the memory right now.
   *
   * @return whether it is gone; otherwise it is still in use, and stays
   */
  static boolean tryUnmap(Region region) {
    long start = System.nanoTime();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          region.close();
          return true;
        } catch (IllegalStateException inUse) {
          if (System.nanoTime() - start > PATIENCE) {
            return false;
          }
        }
        LockSupport.parkNanos(PAUSE);
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
