package io.everheap.memory;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs the few calls that exist on interruptible channels only, mapping and locking, in a thread of
 * their own that nobody can interrupt.
 *
 * <p>Repeating them after an interrupt instead would leak the mapping that was just made, and need
 * not come to an end. They are rare enough for a thread each.
 */
final class OwnThread {
  /** A call that may fail with an {@link IOException}. */
  interface Call<T> {
    T run() throws IOException;
  }

  private OwnThread() {}

  /** Runs the call and returns its result, or throws what it threw. */
  static <T> T run(String name, Call<T> call) throws IOException {
    var task = new FutureTask<T>(call::run);
    Thread.ofPlatform().name(name).daemon().start(task);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException cause -> throw cause;
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new IllegalStateException(e);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
