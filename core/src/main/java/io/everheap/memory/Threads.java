package io.everheap.memory;

import io.everheap.error.MediumException;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Starts threads, joins them, and runs calls in new threads. Stateless. */
public final class Threads {
  /** A call that may fail with an {@link IOException}. */
  interface Call<T> {
    T run() throws IOException;
  }

  private Threads() {}

  /**
   * Starts a thread; if that fails, it can be started again.
   *
   * @throws MediumException if the operating system cannot create a thread
   */
  public static void start(Thread thread) {
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      throw new MediumException(
          "cannot start the thread "
              + thread.getName()
              + ": "
              + e.getMessage()
              + "; let the process have more threads or memory, or end some of its threads",
          e);
    }
  }

  /**
   * Waits for the end of a thread, unless it is the calling one. An interrupt does not end the wait
   * and is kept.
   */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Runs a call in a new thread and returns its result or throws its exception. For the few calls
   * that need an interruptible channel, mapping and locking: repeating them after an interrupt
   * could leak a mapping, and might never end. They are rare enough for a new thread each.
   */
  static <T> T run(String name, Call<T> call) throws IOException {
    var task = new FutureTask<T>(call::run);
    start(Thread.ofPlatform().name(name).daemon().unstarted(task));
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
      throw rethrown(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Throws what the call threw. */
  private static IllegalStateException rethrown(ExecutionException e) throws IOException {
    Throwable cause = e.getCause();
    if (cause instanceof IOException failure) {
      throw failure;
    } else if (cause instanceof RuntimeException failure) {
      throw failure;
    } else if (cause instanceof Error failure) {
      throw failure;
    }
    return new IllegalStateException(e);
  }
}
