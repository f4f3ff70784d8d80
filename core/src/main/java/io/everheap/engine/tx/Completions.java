package io.everheap.engine.tx;

import io.everheap.error.EverheapException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that completes asynchronous transactions; started with the first one. The
 * dependent stages of a completion are user code, which may begin transactions, wait, or close the
 * heap; so they must not run in the thread that makes the log durable, which may hold the writer
 * lock. Thread-safe.
 */
final class Completions {
  private @Nullable ExecutorService thread;

  /** Queues a task; runs it in the calling thread if the daemon thread has ended. */
  synchronized void run(Runnable task) {
    ExecutorService executor = thread;
    if (executor == null) {
      executor =
          Executors.newSingleThreadExecutor(
              Thread.ofPlatform().daemon().name("everheap-completions").factory());
      thread = executor;
    }
    if (executor.isShutdown()) {
      task.run();
    } else {
      executor.execute(task);
    }
  }

  /**
   * Runs the hooks of a commit, unless it failed, and completes a future with the outcome.
   *
   * @param executor where; null for the daemon thread
   */
  void complete(
      CompletableFuture<Void> done,
      List<Runnable> hooks,
      @Nullable EverheapException failure,
      @Nullable Executor executor) {
    Runnable task = () -> complete(done, hooks, failure);
    if (executor == null) {
      run(task);
    } else {
      handOver(task, executor);
    }
  }

  private static void complete(
      CompletableFuture<Void> done, List<Runnable> hooks, @Nullable EverheapException failure) {
    try {
      if (failure != null) {
        done.completeExceptionally(failure);
      } else {
        Hooks.run(hooks);
        done.complete(null);
      }
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  /** Runs a task in an executor, but in no case in this thread, and once even if that fails. */
  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  private void handOver(Runnable task, Executor executor) {
    Thread self = Thread.currentThread();
    AtomicBoolean begun = new AtomicBoolean();
    Runnable once =
        () -> {
          if (!begun.getAndSet(true)) {
            if (Thread.currentThread() == self) {
              run(task);
            } else {
              task.run();
            }
          }
        };
    try {
      executor.execute(once);
    } catch (RuntimeException | Error e) {
      once.run();
    }
  }

  /** Ends the thread after the queued tasks; does not wait for it. */
  synchronized void close() {
    ExecutorService executor = thread;
    if (executor != null) {
      executor.shutdown();
    }
  }
}
