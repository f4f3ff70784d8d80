package io.everheap.engine.tx;

import io.everheap.error.EverheapException;
import io.everheap.memory.Threads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
              worker -> Threads.daemon("everheap-completions", worker));
      thread = executor;
    }
    if (executor.isShutdown()) {
      task.run();
    } else {
      executor.execute(task);
    }
  }

  /** Runs the hooks of a commit that stands, and completes a future with the outcome. */
  void complete(
      CompletableFuture<Void> done, List<Runnable> hooks, @Nullable EverheapException failure) {
    run(
        () -> {
          Throwable outcome = failure;
          try {
            Hooks.run(hooks);
          } catch (RuntimeException | Error e) {
            outcome = outcome == null ? e : outcome;
          }
          if (outcome == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(outcome);
          }
        });
  }

  /** Ends the thread after the queued tasks; does not wait for it. */
  synchronized void close() {
    ExecutorService executor = thread;
    if (executor != null) {
      executor.shutdown();
    }
  }
}
