package io.everheap.memory;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The daemon thread that looks once in a second whether the files of a medium are still in place.
 */
final class FileWatch implements Medium.Watch {
  private static final long INTERVAL_NANOS = 1_000_000_000;

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
    watch.thread.start();
    return watch;
  }

  private void run() {
    while (true) {
      pause();
      if (stopped) {
        return;
      }
      try {
        check.run();
      } catch (OutOfMemoryError | StackOverflowError e) {
        // It says nothing about the files: the next look may.
      } catch (Throwable t) {
        if (!stopped) {
          onFailure.accept(t);
        }
        return;
      }
    }
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
}
