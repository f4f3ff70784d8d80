package io.everheap.engine.tx;

import io.everheap.error.EverheapException;
import io.everheap.memory.CompletionThread;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Completes asynchronous transactions in a separate thread, and not in the one that makes the log
 * durable, which may hold the writer lock. Thread-safe.
 */
final class Completions {
  private final CompletionThread thread = new CompletionThread();

  /** Runs the hooks of a commit that stands, and completes a future with the outcome. */
  void complete(
      CompletableFuture<Void> done, List<Runnable> hooks, @Nullable EverheapException failure) {
    thread.run(
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

  /** Ends the thread after the queued completions; does not wait for it. */
  void close() {
    thread.close();
  }
}
