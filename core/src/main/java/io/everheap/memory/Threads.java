package io.everheap.memory;

import io.everheap.error.MediumException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Creates threads, starts and joins them, and runs calls in new threads. Stateless. */
public final class Threads {
  /** A call that may fail with an {@link IOException}. */
  interface Call<T> {
    T run() throws IOException;
  }

  /** How often a thread that waits for another one looks what that does. */
  private static final long LOOK_MILLIS = 10;

  private Threads() {}

  /**
   * Creates a daemon thread, not started, that inherits neither the thread locals nor the context
   * class loader of the calling thread: it lives as long as a heap, and would keep an application
   * alive that has ended. Its context class loader is that of this library.
   */
  public static Thread daemon(String name, Runnable task) {
    return new LibraryThread(name, task);
  }

  /**
   * Runs code of the program, such as a listener or the completion of a future. While a {@link
   * #daemon} thread does, {@link #join} does not wait for it: the code may itself wait for the
   * caller of {@code join}, as {@code System.exit} does for a shutdown hook that closes a heap.
   */
  public static void runForeign(Runnable code) {
    if (Thread.currentThread() instanceof LibraryThread thread) {
      boolean outer = thread.foreign;
      thread.foreign = true;
      try {
        code.run();
      } finally {
        thread.foreign = outer;
      }
    } else {
      code.run();
    }
  }

  /** A thread that inherits nothing. */
  private static final class LibraryThread extends Thread {
    /** Whether it runs code of the program; written by the thread alone. */
    volatile boolean foreign;

    LibraryThread(String name, Runnable task) {
      super(null, task, name, 0, false);
      setDaemon(true);
      setContextClassLoader(Threads.class.getClassLoader());
    }
  }

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
   * Waits for the end of a thread, unless it is the calling one or runs code of the program; see
   * {@link #runForeign}. An interrupt does not end the wait and is kept.
   */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive() && !thread.equals(Thread.currentThread()) && !isForeign(thread)) {
      try {
        thread.join(LOOK_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isForeign(Thread thread) {
    return thread instanceof LibraryThread its && its.foreign;
  }

  /**
   * Runs a call in a new thread and returns its result, never null, or throws its exception. For
   * the few calls that need an interruptible channel, mapping and locking: repeating them after an
   * interrupt could leak a mapping, and might never end. They are rare enough for a new thread
   * each.
   */
  static <T> T run(String name, Call<T> call) throws IOException {
    var task = new Task<T>(call);
    Thread thread = daemon(name, task);
    start(thread);
    join(thread);
    return task.result();
  }

  /** A call and what became of it. */
  private static final class Task<T> implements Runnable {
    private final Call<T> call;
    private @Nullable T result;
    private @Nullable Throwable failure;

    Task(Call<T> call) {
      this.call = call;
    }

    @Override
    public void run() {
      try {
        result = call.run();
      } catch (Throwable t) {
        failure = t;
      }
    }

    /** Returns the result, or throws what the call threw; after the end of the thread. */
    T result() throws IOException {
      Throwable cause = failure;
      if (cause instanceof IOException e) {
        throw e;
      } else if (cause instanceof RuntimeException e) {
        throw e;
      } else if (cause instanceof Error e) {
        throw e;
      }
      T value = result;
      if (value == null) {
        throw new IllegalStateException("a thread of the medium ended without a result", cause);
      }
      return value;
    }
  }
}
