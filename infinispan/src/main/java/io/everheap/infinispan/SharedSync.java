package io.everheap.infinispan;

import io.everheap.Heap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Completes writes when they survive power loss. All that are committed while a sync runs share the
 * next one. The thread that syncs completes the writes as well: a write whose caller waits costs
 * two changes of threads. What follows a write may block; by then another thread can sync.
 *
 * <p>Thread-safe.
 */
final class SharedSync {
  private final Heap heap;
  private final Executor blocking;
  private final AtomicReference<@Nullable Waiting<?>> newest = new AtomicReference<>();

  /** Whether a thread is going to sync, or does. */
  private final AtomicBoolean begun = new AtomicBoolean();

  /** A committed write, and those that came before it. */
  private static final class Waiting<T extends @Nullable Object> {
    final CompletableFuture<T> stage = new CompletableFuture<>();
    final T result;
    @Nullable Waiting<?> next;

    Waiting(T result) {
      this.result = result;
    }

    void complete(@Nullable Throwable failure) {
      if (failure == null) {
        stage.complete(result);
      } else {
        stage.completeExceptionally(failure);
      }
    }
  }

  /**
   * Creates it.
   *
   * @param blocking runs what waits for the disk
   */
  SharedSync(Heap heap, Executor blocking) {
    this.heap = heap;
    this.blocking = blocking;
  }

  /**
   * Waits for what this thread has committed.
   *
   * @param inline whether this thread may sync
   * @return completes with the result when it is durable
   */
  <T extends @Nullable Object> CompletionStage<T> complete(T result, boolean inline) {
    var write = new Waiting<>(result);
    do {
      write.next = newest.get();
    } while (!newest.compareAndSet(write.next, write));
    begin(inline);
    return write.stage;
  }

  private void begin(boolean inline) {
    if (newest.get() == null || begun.getAndSet(true)) {
      return; // the thread that is at it looks for others at its end
    }
    if (!inline) {
      try {
        blocking.execute(this::sync);
        return;
      } catch (RuntimeException | Error e) {
        // The cache manager stops, or there is no memory for a thread.
      }
    }
    sync();
  }

  /** Allocates nothing until others can sync, so an error leaves no write without an answer. */
  private void sync() {
    Waiting<?> covered = newest.getAndSet(null);
    Throwable failure = null;
    try {
      heap.sync();
    } catch (Throwable t) {
      failure = t;
    }
    begun.set(false);
    begin(false);
    for (Waiting<?> write = covered; write != null; write = write.next) {
      write.complete(failure);
    }
  }
}
