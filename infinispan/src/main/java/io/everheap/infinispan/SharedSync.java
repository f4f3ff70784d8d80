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
 * two changes of threads. What follows a write may block, even for another write: by then another
 * thread can sync, and a second one completes the rest. Only if the executor refuses does it wait.
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
    if (due() && (inline || !elsewhere(null, null))) {
      sync(write);
    }
    return write.stage;
  }

  /** Whether writes wait that no other thread sees to: this one has to, from now on. */
  private boolean due() {
    return newest.get() != null && !begun.getAndSet(true); // who is at it looks again at its end
  }

  /**
   * Needs no memory, so an error leaves no write without an answer.
   *
   * @param own the write of this thread, which returns it then, whatever follows others; null in a
   *     thread that was asked to sync
   */
  private void sync(@Nullable Waiting<?> own) {
    do {
      Waiting<?> covered = newest.getAndSet(null);
      Throwable failure = null;
      try {
        heap.sync();
      } catch (Throwable t) {
        failure = t;
      }
      begun.set(false);
      if (due() && !elsewhere(null, null)) {
        begun.set(false); // this thread syncs for them too, after the answers
      }
      boolean here = own == null || covered == null || (covered == own && own.next == null);
      if (here || !elsewhere(covered, failure)) {
        answer(covered, failure);
      }
    } while (due() && !elsewhere(null, null));
  }

  /**
   * Completes writes. What follows one of them may wait for another one of the same sync, so the
   * others are left to a second thread as well.
   */
  private void answer(@Nullable Waiting<?> writes, @Nullable Throwable failure) {
    boolean helped = false;
    for (Waiting<?> write = writes; write != null; write = write.next) {
      if (write.stage.isDone()) {
        continue;
      }
      Waiting<?> rest = write.next;
      if (!helped && rest != null) {
        helped = elsewhere(rest, failure);
      }
      write.complete(failure);
    }
  }

  /**
   * Whether another thread does it, which needs memory.
   *
   * @param writes that it completes; null if it syncs
   */
  private boolean elsewhere(@Nullable Waiting<?> writes, @Nullable Throwable failure) {
    try {
      var task = new HandedOver(writes, failure);
      blocking.execute(task);
      return task.taken();
    } catch (RuntimeException | Error e) {
      return false; // the cache manager stops, or there is no memory for a thread
    }
  }

  /** Does nothing in the thread that hands it over, where a pool that is full runs it. */
  private final class HandedOver implements Runnable {
    private final long from = Thread.currentThread().threadId();
    private final @Nullable Waiting<?> writes;
    private final @Nullable Throwable failure;

    /** Both are of the first thread alone. */
    private boolean handing = true;

    private boolean refused;

    HandedOver(@Nullable Waiting<?> writes, @Nullable Throwable failure) {
      this.writes = writes;
      this.failure = failure;
    }

    @Override
    public void run() {
      if (Thread.currentThread().threadId() == from && handing) {
        refused = true;
      } else if (writes == null) {
        sync(null);
      } else {
        answer(writes, failure);
      }
    }

    boolean taken() {
      handing = false;
      return !refused;
    }
  }
}
