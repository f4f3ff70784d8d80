package io.everheap.memory;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that runs completions, which are code of the program; started with the first one.
 * They may wait, begin transactions, or close what completes them; so they must not run in a thread
 * that holds a lock, or closes. Thread-safe.
 */
public final class CompletionThread {
  private @Nullable ExecutorService thread;
  private boolean closed;

  /** Creates it, not started. */
  public CompletionThread() {}

  /** Queues a task; after {@link #close} runs it in the calling thread. */
  public void run(Runnable task) {
    if (!isQueued(task)) {
      Threads.runForeign(task);
    }
  }

  private synchronized boolean isQueued(Runnable task) {
    if (closed) {
      return false;
    }
    ExecutorService executor = thread;
    if (executor == null) {
      executor =
          Executors.newSingleThreadExecutor(
              worker -> Threads.daemon("everheap-completions", worker));
      thread = executor;
    }
    executor.execute(task);
    return true;
  }

  /** Ends the thread after the queued tasks; does not wait for it. */
  public synchronized void close() {
    closed = true;
    ExecutorService executor = thread;
    if (executor != null) {
      executor.shutdown();
    }
  }
}
