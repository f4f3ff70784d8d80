package io.everheap.engine.tx;

import io.everheap.error.OutsideTransactionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes and releases the writer lock, and poisons the heap if a thread could not end its
 * transaction.
 *
 * <p>An error of the virtual machine can strike at any call. So there is no call between taking the
 * lock and the {@code try} around its use, and the lock is released by a store, before the call
 * that wakes the next thread. Thread-safe.
 */
final class Turns {
  /** Value of {@code endsDue} while an end runs; nested increments keep it below zero. */
  private static final int ENDING = Integer.MIN_VALUE;

  /** A read under the lock. */
  interface Read<T extends @Nullable Object, X extends Exception> {
    T run() throws X;
  }

  private final WriterLock lock;
  private final CommitMonitor monitor;

  Turns(WriterLock lock, CommitMonitor monitor) {
    this.lock = lock;
    this.monitor = monitor;
  }

  /**
   * Takes the lock; throws, without it, if the heap is broken. Makes no call after taking it.
   *
   * @param patiently whether to wait without a timeout
   */
  void take(Thread self, boolean patiently) {
    boolean taken = patiently ? lock.lock(self) : lock.acquire(self);
    Throwable cause = lock.broken;
    if (cause != null) {
      if (taken) {
        lock.owner = null;
      }
      throw broken(cause);
    }
  }

  /** Throws, and breaks the heap, if this thread holds a transaction that it could not end. */
  void refuseIfLost(Thread self) {
    if (isLost(self)) {
      throw broken(giveUp());
    }
  }

  /** Marks that an end runs; throws if the end of a nested level was lost. */
  Thread beginEnd() {
    Thread self = Thread.currentThread();
    if (!self.equals(lock.writer)) {
      Throwable cause = lock.broken; // set if a nested level was lost, which released the lock
      throw cause == null ? OutsideTransactionException.required() : broken(cause);
    }
    if (lock.endsDue != 1 || lock.broken != null) {
      refuseIfLost(self);
    }
    lock.ends++;
    lock.endsDue = ENDING;
    return self;
  }

  /** Poisons the heap if this thread holds a transaction that it could not end. */
  void breakIfLost() {
    if (isLost(Thread.currentThread())) {
      monitor.poison(giveUp());
    }
  }

  private boolean isLost(Thread self) {
    return lock.isHeldBy(self) && (lock.endsDue > 0 || lock.broken != null);
  }

  /** Releases the lock of a lost transaction; returns why the heap is broken. */
  private Throwable giveUp() {
    Throwable cause = lock.broken;
    if (cause == null) {
      cause = lock.lostEnd();
      lock.broken = cause;
    }
    lock.endsDue = 0;
    lock.writer = null;
    lock.owner = null;
    lock.wakeNext();
    return cause;
  }

  /** Poisons the heap, or completes an interrupted poisoning; returns the exception to throw. */
  RuntimeException broken(Throwable cause) {
    monitor.poison(cause);
    return monitor.poisoned();
  }

  /** Poisons the heap; a store first, since the call may fail. */
  void breakBy(Throwable cause) {
    if (lock.broken == null) {
      lock.broken = cause;
    }
    monitor.poison(cause);
  }

  /** See {@link Transactions#exclusively}. */
  <T extends @Nullable Object, X extends Exception> T exclusively(Read<T, X> read) throws X {
    Thread self = Thread.currentThread();
    if (lock.isHeldBy(self)) {
      refuseIfLost(self);
      return read.run();
    }
    take(self, false);
    try {
      return read.run();
    } finally {
      lock.owner = null;
      lock.wakeNext();
    }
  }

  /** See {@link Transactions#quiesced}. */
  void quiesced(Runnable action) {
    Thread self = Thread.currentThread();
    if (lock.isHeldBy(self)) {
      refuseIfLost(self);
      action.run();
      return;
    }
    take(self, true);
    try {
      action.run();
    } finally {
      lock.owner = null;
      lock.wakeNext();
    }
  }

  /** See {@link Transactions#tryQuiesced}. */
  boolean tryQuiesced(Runnable action) {
    Thread self = Thread.currentThread();
    if (lock.isHeldBy(self)) {
      refuseIfLost(self);
      action.run();
      return true;
    }
    if (!lock.spinLock(self)) {
      return false;
    }
    Throwable cause = lock.broken;
    if (cause != null) {
      lock.owner = null;
      throw broken(cause);
    }
    try {
      action.run();
    } finally {
      lock.owner = null;
      lock.wakeNext();
    }
    return true;
  }

  /** See {@link Transactions#settle}. */
  void settle() {
    Thread self = Thread.currentThread();
    if (lock.broken == null && lock.lock(self)) {
      lock.owner = null;
      lock.wakeNext();
    } else {
      lock.awaitFree();
    }
  }

  /** See {@link Transactions#requireOutside}. */
  void requireOutside(String operation) {
    Thread self = Thread.currentThread();
    if (lock.isHeldBy(self)) {
      refuseIfLost(self);
      throw new IllegalStateException(operation + " inside a transaction or a read");
    }
  }
}
