package io.everheap.structure.common;

import io.everheap.engine.Signals;
import io.everheap.engine.tx.Transactions;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waiting for elements of a queue, or for room in it. Each attempt is a transaction; between
 * attempts the thread holds nothing of the heap.
 */
public final class Blocking {
  /** To wait for as long as it takes: 146 years. */
  public static final long FOREVER = Long.MAX_VALUE / 2;

  private final StructureContext heap;
  private final Transactions tx;
  private final Signals signals;
  private final long elements;
  private final long room;

  /**
   * For one structure.
   *
   * @param reference of its header
   */
  public Blocking(StructureContext heap, long reference) {
    this.heap = heap;
    this.tx = heap.transactions();
    this.signals = heap.signals();
    this.elements = reference;
    this.room = ~reference;
  }

  /** An element was added, in the running transaction. */
  public void added() {
    if (signals.announce(elements)) {
      tx.onCommit(() -> signals.wakeOne(elements));
    }
  }

  /** An element was removed, in the running transaction. */
  public void removed() {
    if (signals.announce(room)) {
      tx.onCommit(() -> signals.wakeOne(room));
    }
  }

  /** All may be different, in the running transaction. */
  public void changed() {
    changed(heap, elements);
  }

  /** The structure was removed or emptied, in the running transaction. */
  public static void changed(StructureContext heap, long reference) {
    Signals signals = heap.signals();
    boolean elements = signals.announce(reference);
    boolean room = signals.announce(~reference);
    if (elements || room) {
      heap.transactions()
          .onCommit(
              () -> {
                signals.wakeAll(reference);
                signals.wakeAll(~reference);
              });
    }
  }

  /** Waits for an element; see {@link #await}. */
  public <T> @Nullable T awaitElement(Supplier<@Nullable T> attempt, long nanos)
      throws InterruptedException {
    return await(elements, attempt, () -> FOREVER, nanos);
  }

  /**
   * Waits for an element that may come without a commit; see {@link #await}.
   *
   * @param patience asked inside the transaction of an attempt that found nothing: after how many
   *     nanoseconds another one may find something, though no commit brought it
   */
  public <T> @Nullable T awaitElement(
      Supplier<@Nullable T> attempt, LongSupplier patience, long nanos)
      throws InterruptedException {
    return await(elements, attempt, patience, nanos);
  }

  /** Waits for room; see {@link #await}. */
  public <T> @Nullable T awaitRoom(Supplier<@Nullable T> attempt, long nanos)
      throws InterruptedException {
    return await(room, attempt, () -> FOREVER, nanos);
  }

  /**
   * Tries until an attempt succeeds or the time is up. A thread that waits and is interrupted
   * before a commit brings what it waits for does not take it.
   *
   * @param attempt inside a transaction; returns null if it must wait
   * @param nanos to wait
   * @return what the attempt returned, or null
   * @throws IllegalStateException if this thread runs a transaction and would have to wait
   */
  private <T> @Nullable T await(
      long key, Supplier<@Nullable T> attempt, LongSupplier patience, long nanos)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (tx.isWriter()) {
      return attemptInside(attempt, nanos);
    }
    long deadline = System.nanoTime() + Math.min(nanos, FOREVER);
    Signals.Waiter waiter = null;
    try {
      while (true) {
        Signals.Waiter present = waiter;
        Signals.Waiter[] joined = {present};
        long[] again = {FOREVER};
        T result =
            tx.call(
                () -> {
                  // an interrupted thread takes nothing: its caller may not look at the result
                  boolean leaves = nanos > 0 && Thread.currentThread().isInterrupted();
                  T found = leaves ? null : attempt.get();
                  again[0] = found == null && nanos > 0 ? patience.getAsLong() : FOREVER;
                  if (found == null && present != null) {
                    present.again();
                  } else if (found == null && nanos > 0) {
                    joined[0] = signals.join(key);
                  }
                  return found;
                });
        waiter = joined[0];
        if (result != null || waiter == null) {
          return result;
        }
        long now = System.nanoTime();
        boolean last = deadline - now <= again[0];
        if (!waiter.awaitUntil(last ? deadline : now + again[0]) && last) {
          return null;
        }
      }
    } finally {
      if (waiter != null) {
        waiter.close();
      }
    }
  }

  private <T> @Nullable T attemptInside(Supplier<@Nullable T> attempt, long nanos) {
    T result = tx.call(attempt::get);
    if (result == null && nanos > 0) {
      throw new IllegalStateException(
          "a wait inside a transaction would never end: no other thread can add or remove meanwhile;"
              + " use poll() or offer()");
    }
    return result;
  }
}
