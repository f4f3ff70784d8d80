package io.everheap;

import io.everheap.support.Limit;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Threads of tests: daemons, so that one that hangs fails a test and does not end all. */
final class Threads {
  private Threads() {}

  /** A task and the thread that runs it. */
  record Running<T>(FutureTask<T> task, Thread thread) {
    /** The result of the task. */
    T result() throws Exception {
      return Limit.get(task);
    }

    /** Returns once the thread waits for something. */
    void awaitWaiting() {
      Limit.until(
          thread.getName() + " waits",
          () -> {
            if (task.isDone()) {
              throw new AssertionError("it did not wait");
            }
            return thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING;
          });
    }
  }

  static <T> Running<T> start(String name, Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    return new Running<>(task, Thread.ofPlatform().daemon().name(name).start(task));
  }

  /** Waits for a latch in code that may throw nothing; an interrupt ends that and stays set. */
  static void await(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
