package io.everheap;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Threads of tests: daemons, so that one that hangs fails a test and does not end all. */
final class Threads {
  private Threads() {}

  /** A task and the thread that runs it. */
  record Running<T>(FutureTask<T> task, Thread thread) {
    /** The result; a failure after minutes stands for a thread that hangs. */
    T result() throws Exception {
      return task.get(5, TimeUnit.MINUTES);
    }

    /** Returns once the thread waits for something. */
    void awaitWaiting() {
      while (thread.getState() != Thread.State.WAITING
          && thread.getState() != Thread.State.TIMED_WAITING) {
        if (task.isDone()) {
          throw new AssertionError("it did not wait");
        }
        Thread.onSpinWait();
      }
    }
  }

  static <T> Running<T> start(String name, Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    return new Running<>(task, Thread.ofPlatform().daemon().name(name).start(task));
  }

  /** Waits for a latch in code that may throw nothing; an interrupt ends that and stays set. */
  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
