package io.everheap.memory;

import io.everheap.error.MediumException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The daemon thread that looks once in a second whether the files of a medium are still in place.
 */
final class FileWatch implements Medium.Watch {
  private static final long INTERVAL_NANOS = 1_000_000_000;

  /** Looks in a row that may fail without a word of the files, as when a server restarts. */
  private static final int MAX_DOUBTS = 30;

  private final Runnable check;
  private final Consumer<Throwable> onFailure;
  private final Thread thread;
  private volatile boolean stopped;

  private FileWatch(String location, Runnable check, Consumer<Throwable> onFailure) {
    this.check = check;
    this.onFailure = onFailure;
    this.thread =
        Thread.ofPlatform().daemon().name("everheap-watch " + location).unstarted(this::run);
  }

  /**
   * Starts the thread.
   *
   * @param check throws if something is wrong
   * @param onFailure is told what, once
   */
  static FileWatch start(String location, Runnable check, Consumer<Throwable> onFailure) {
    FileWatch watch = new FileWatch(location, check, onFailure);
    Threads.start(watch.thread);
    return watch;
  }

  private void run() {
    int doubts = 0;
    while (true) {
      pause();
      if (stopped) {
        return;
      }
      try {
        check.run();
        doubts = 0;
      } catch (OutOfMemoryError | StackOverflowError e) {
        // It says nothing about the files: the next look may.
      } catch (Throwable t) {
        if (tellsNothing(t) && ++doubts < MAX_DOUBTS) {
          continue;
        }
        if (!stopped) {
          onFailure.accept(t);
        }
        return;
      }
    }
  }

  /** Whether a look failed in a way that says nothing of what it looked for. */
  private static boolean tellsNothing(Throwable failure) {
    return failure instanceof MediumException
        && failure.getCause() instanceof IOException cause
        && !(cause instanceof NoSuchFileException);
  }

  private void pause() {
    long end = System.nanoTime() + INTERVAL_NANOS;
    for (long left = INTERVAL_NANOS; left > 0 && !stopped; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      boolean _ = Thread.interrupted(); // which would end the park at once
    }
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
    Threads.join(thread);
  }
}
