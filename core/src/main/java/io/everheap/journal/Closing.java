package io.everheap.journal;

import io.everheap.memory.Region;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Closes several things, all of them whatever happens, and throws the first failure at the end. */
final class Closing {
  private static final long UNMAP_PATIENCE = 1_000_000_000;
  private static final long UNMAP_PAUSE = 50_000;

  private @Nullable Throwable failure;

  /** Does one step. */
  Closing then(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      if (failure == null) {
        failure = e;
      } else {
        failure.addSuppressed(e);
      }
    }
    return this;
  }

  /** Whether a step threw an error; if it was one of the virtual machine, steps can be repeated. */
  boolean metError() {
    return failure instanceof Error;
  }

  /** Throws what failed first, with what failed later. */
  void end() {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  /** Undoes something because of a failure, which stays the one that counts. */
  static void after(Throwable reason, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      reason.addSuppressed(e);
    }
  }

  /**
   * Gives memory back, and waits a while for threads that compute a checksum of it or pass it to a
   * channel just now.
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
          if (System.nanoTime() - start > UNMAP_PATIENCE) {
            return false;
          }
        }
        LockSupport.parkNanos(UNMAP_PAUSE);
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
