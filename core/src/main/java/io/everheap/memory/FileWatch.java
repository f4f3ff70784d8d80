package io.everheap.memory;

import io.everheap.error.MediumException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The daemon thread that checks once per second whether the files of a medium are still in place.
 */
final class FileWatch implements Medium.Watch {
  private static final long INTERVAL_NANOS = 1_000_000_000;

  /** Consecutive checks that may fail inconclusively, for example while a file server restarts. */
  private static final int MAX_INCONCLUSIVE = 30;

  private final Runnable check;
  private final Consumer<Throwable> onFailure;
  private final Thread thread;
  private volatile boolean stopped;

  private FileWatch(String location, Runnable check, Consumer<Throwable> onFailure) {
    this.check = check;
    this.onFailure = onFailure;
    this.thread = Threads.daemon("everheap-watch " + location, this::run);
  }

  /**
   * Starts the thread.
   *
   * @param check throws if something is wrong
   * @param onFailure receives the failure, once; then the thread ends
   */
  static FileWatch start(String location, Runnable check, Consumer<Throwable> onFailure) {
    FileWatch watch = new FileWatch(location, check, onFailure);
    Threads.start(watch.thread);
    return watch;
  }

  private void run() {
    int inconclusive = 0;
    while (true) {
      pause();
      if (stopped) {
        return;
      }
      try {
        check.run();
        inconclusive = 0;
      } catch (OutOfMemoryError | StackOverflowError e) {
        // Says nothing about the files; the next check may.
      } catch (Throwable t) {
        if (isInconclusive(t) && ++inconclusive < MAX_INCONCLUSIVE) {
          continue;
        }
        if (!stopped) {
          onFailure.accept(t);
        }
        return;
      }
    }
  }

  /** Whether a check failed without finding out whether the files are in place. */
  private static boolean isInconclusive(Throwable failure) {
    return failure instanceof MediumException
        && failure.getCause() instanceof IOException cause
        && !(cause instanceof NoSuchFileException);
  }

  private void pause() {
    long end = System.nanoTime() + INTERVAL_NANOS;
    for (long left = INTERVAL_NANOS; left > 0 && !stopped; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      boolean _ = Thread.interrupted(); // an interrupted thread would not park
    }
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
    Threads.join(thread);
  }
}
