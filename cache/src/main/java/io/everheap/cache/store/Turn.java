package io.everheap.cache.store;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.memory.BriefLock;
import io.everheap.memory.MappedFaults;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a cache, under which everything changes but the copying of values that are put, syncs
 * of files and what listeners do; and whether anything may change: not after the cache was closed,
 * and not after its medium failed, or a change ended half-way. Thread-safe.
 *
 * <pre>
 *   field    mode      guard
 *   halfway  plain     the lock
 *   failure  volatile  the first one stays, except in races
 *   closed   volatile  written once, under the lock
 * </pre>
 */
final class Turn {
  /** The lock; not to be taken again by the thread that holds it. */
  final BriefLock lock = new BriefLock();

  /**
   * Whether a change stored something and is not complete: nothing may follow it if it ends with an
   * error. Assigned, not called: when the stack or the Java heap is exhausted a call may fail.
   */
  boolean halfway;

  /** Why nothing can be changed any more. Assigned where a call of {@link #fail} may fail. */
  volatile @Nullable Throwable failure;

  volatile boolean closed;

  private final Object gently = new Object();
  private final String location;
  private final Function<Throwable, EverheapException> explain;

  /**
   * Creates the lock of a cache.
   *
   * @param location of the first file, for messages
   * @param explain makes the exception for a fault of the files' mapped memory
   */
  Turn(String location, Function<Throwable, EverheapException> explain) {
    this.location = location;
    this.explain = explain;
  }

  /** Runs an action under the lock, while the cache may change. */
  void run(Runnable action) {
    lock.lock();
    try {
      requireUsable();
      change(action);
    } finally {
      lock.state = BriefLock.FREE;
    }
  }

  /**
   * Runs one of many actions under the lock. If threads wait for it then, leaves it free until any
   * thread takes it, for half as long as the action took at most: they sleep in between, and would
   * find it taken each time.
   */
  void runGently(Runnable action) {
    synchronized (gently) { // else others like this would take it meanwhile
      long begun;
      lock.lock();
      try {
        begun = System.nanoTime();
        requireUsable();
        change(action);
      } finally {
        lock.state = BriefLock.FREE;
      }
      long done = System.nanoTime();
      while (lock.isWanted()
          && lock.state == BriefLock.FREE
          && System.nanoTime() - done < (done - begun) / 2) {
        Thread.onSpinWait();
      }
    }
  }

  /** Runs an action under the lock, which the caller holds, while the cache may change. */
  void change(Runnable action) {
    try {
      guarded(action);
    } catch (Throwable t) {
      failure = halfway && failure == null ? t : failure;
      throw t;
    }
  }

  /** Runs a part of an action that leaves nothing to go on with if it fails; under the lock. */
  void whole(Runnable part) {
    boolean outer = halfway;
    halfway = true;
    part.run();
    halfway = outer;
  }

  /** Runs what may fail with the medium; nothing is changed any more after that. Needs no lock. */
  void guarded(Runnable action) {
    try {
      action.run();
      MappedFaults.arrive();
    } catch (MediumException e) {
      fail(e);
      throw e;
    } catch (InternalError e) {
      fail(e);
      throw thrown(e);
    }
  }

  /**
   * The exception for an error of mapped memory: the fault explained, such as by a full disk. After
   * a failed change it is also what stopped the cache.
   *
   * @return never; the result is for a {@code throw} of the caller
   */
  RuntimeException thrown(InternalError error) {
    if (!MappedFaults.isFault(error)) {
      throw error;
    }
    EverheapException why = explain.apply(error);
    if (error.equals(failure)) {
      failure = why;
    }
    throw why;
  }

  /** Nothing can be changed any more. What fails since the cache is being closed is no failure. */
  void fail(Throwable e) {
    if (failure == null && !closed) {
      failure = e;
    }
  }

  /** The cache is closed; under the lock. */
  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  boolean hasFailed() {
    return failure != null;
  }

  /**
   * Throws if a change ended half-way: what it left must not count as synced, as if its entry were
   * the only one of its key. Under the lock.
   */
  void requireWhole() {
    if (failure != null) {
      requireUsable();
    }
  }

  /** Whether the cache is open and nothing failed. */
  boolean isUsable() {
    return failure == null && !closed;
  }

  void requireOpen() {
    if (closed) {
      throw closing();
    }
  }

  /** What is thrown when the cache is closed, or being closed. */
  static IllegalStateException closing() {
    return new IllegalStateException("the cache is closed");
  }

  void requireUsable() {
    RuntimeException why = refusal();
    if (why != null) {
      throw why;
    }
  }

  /** A new exception of why nothing can be changed; null if the cache is open and did not fail. */
  @Nullable RuntimeException refusal() {
    if (closed) {
      return closing();
    }
    Throwable cause = failure;
    if (cause == null) {
      return null;
    }
    String message =
        String.format(
            Locale.ROOT,
            "the cache at %s stopped after a failure (%s); open it again",
            location,
            cause.getMessage());
    return cause instanceof DiskFullException
        ? new DiskFullException(message, cause)
        : new MediumException(message, cause);
  }
}
