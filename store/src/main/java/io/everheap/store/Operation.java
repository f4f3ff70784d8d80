package io.everheap.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A write that waits for its shard, or a thread that waits for the shard's turn. The thread that
 * has the turn runs the write and sets the state; the one that waits spins, then parks.
 */
final class Operation {
  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 200 : 0;

  /** What became of it. */
  enum State {
    WAITING,
    /** It was run; the result or the failure is set. */
    DONE,
    /** The waiting thread has the turn from now on. */
    LEADS
  }

  final @Nullable Supplier<?> action; // null for a thread that wants the turn
  final @Nullable Thread waiter; // null for an asynchronous write
  final @Nullable CompletableFuture<@Nullable Object> future;

  @Nullable Operation next; // in the queue
  @Nullable Object result;
  @Nullable Throwable failure;
  private volatile State state = State.WAITING;
  private volatile boolean parked;

  Operation(
      @Nullable Supplier<?> action,
      @Nullable Thread waiter,
      @Nullable CompletableFuture<@Nullable Object> future) {
    this.action = action;
    this.waiter = waiter;
    this.future = future;
  }

  /** Runs the write; what it throws is its failure. */
  void run() {
    failure = null;
    try {
      result = action == null ? null : action.get();
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  /** Lets the waiting thread go on. */
  void set(State newState) {
    Thread thread = waiter;
    state = newState;
    if (parked && thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** Waits for the end of {@link State#WAITING}; an interrupt does not end the wait and is kept. */
  State await() {
    for (int i = 0; i < SPINS; i++) {
      if (state != State.WAITING) {
        return state;
      }
      Thread.onSpinWait();
    }
    parked = true;
    boolean interrupted = false;
    while (state == State.WAITING) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return state;
  }
}
