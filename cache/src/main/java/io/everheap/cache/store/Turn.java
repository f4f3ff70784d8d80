package io.everheap.cache.store;

import io.everheap.error.MediumException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a cache, under which everything changes but the copying of values that are put, syncs
 * of files and what listeners do; and whether anything may change: not after the cache was closed,
 * and not after its medium failed. Thread-safe.
 *
 * <pre>
 *   field    mode      guard
 *   failure  volatile  written once
 *   closed   volatile  written once, under the lock
 * </pre>
 */
final class Turn {
  private final ReentrantLock lock = new ReentrantLock();
  private final String location;
  private volatile @Nullable Throwable failure;
  private volatile boolean closed;

  /** For a cache whose first file is at a location, for messages. */
  Turn(String location) {
    this.location = location;
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Runs an action under the lock, while the cache may change. */
  void run(Runnable action) {
    lock.lock();
    try {
      requireUsable();
      guarded(action);
    } finally {
      lock.unlock();
    }
  }

  /** Runs what may fail with the medium; nothing is changed any more after that. Needs no lock. */
  void guarded(Runnable change) {
    try {
      change.run();
    } catch (MediumException | InternalError e) {
      fail(e);
      throw e;
    }
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

  /** Whether the cache is open and nothing failed. */
  boolean isUsable() {
    return failure == null && !closed;
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cache is closed");
    }
  }

  void requireUsable() {
    requireOpen();
    Throwable cause = failure;
    if (cause != null) {
      throw new MediumException(
          "the cache at %s stopped after a failure (%s); open it again"
              .formatted(location, cause.getMessage()),
          cause);
    }
  }
}
