package io.everheap.memory;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs all steps of a close, also after one of them failed, and throws the first failure at the
 * end.
 */
public final class Closing {
  private static final long FIRST_PAUSE = 50_000;
  private static final long LONGEST_PAUSE = 3_200_000;
  private static final long UNMAP_TIMEOUT = 1_000_000_000;

  private @Nullable Throwable failure; // the first error, or else the first exception

  /** No step yet. */
  public Closing() {}

  /** Runs one step. */
  public Closing then(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      Throwable before = failure;
      if (before == null) {
        failure = e;
      } else if (e instanceof Error && !(before instanceof Error)) {
        e.addSuppressed(before);
        failure = e;
      } else {
        suppress(before, e);
      }
    }
    return this;
  }

  /** Whether a step threw an error; if it was one of the virtual machine, steps can be repeated. */
  public boolean hasError() {
    return failure instanceof Error;
  }

  /** Nothing can suppress itself: the virtual machine may throw one OutOfMemoryError twice. */
  @SuppressWarnings("ReferenceEquality")
  private static void suppress(Throwable reason, Throwable next) {
    if (next != reason) {
      reason.addSuppressed(next);
    }
  }

  /** Throws the first error, or else the first exception, with the other failures suppressed. */
  public void end() {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  /** Runs a cleanup step after a failure; what the step throws is suppressed by it. */
  public static void after(Throwable reason, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      suppress(reason, e);
    }
  }

  /**
   * Unmaps memory that no thread uses any more, except perhaps for the rest of a checksum. If it is
   * still in use after a second, it stays mapped until the process ends: a StackOverflowError that
   * strikes in the JDK, where it counts the users of memory, leaves one that never ends.
   */
  public static void unmap(Region region) {
    boolean _ = tryUnmap(region);
  }

  /** Unmaps memory as {@link #tryUnmap(Region, long)} does, and waits for a second at most. */
  public static boolean tryUnmap(Region region) {
    return tryUnmap(region, UNMAP_TIMEOUT);
  }

  /**
   * Unmaps memory, and waits a limited time for threads that are computing its checksum or passing
   * it to a channel.
   *
   * @param timeout how long to wait, in nanoseconds
   * @return whether it was unmapped; otherwise it is still in use, and stays mapped
   */
  public static boolean tryUnmap(Region region, long timeout) {
    return await(() -> closes(region::close), timeout);
  }

  private static boolean closes(Runnable close) {
    try {
      close.run();
      return true;
    } catch (IllegalStateException inUse) {
      return false;
    }
  }

  /**
   * Asks again and again, for a limited time, whether other threads are done. An interrupt does not
   * end the wait and is kept.
   *
   * @param timeout in nanoseconds
   * @return whether they are
   */
  static boolean await(BooleanSupplier done, long timeout) {
    long start = System.nanoTime();
    boolean interrupted = false;
    long pause = FIRST_PAUSE;
    try {
      while (!done.getAsBoolean()) {
        if (System.nanoTime() - start > timeout) {
          return false;
        }
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE);
        interrupted |= Thread.interrupted();
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
