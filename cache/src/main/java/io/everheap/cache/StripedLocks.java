package io.everheap.cache;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;

/** Locks of keys: changes of one key happen one after the other. Keys share locks. Thread-safe. */
final class StripedLocks {
  private static final int STRIPES = 256;

  private final ToLongFunction<byte[]> hash;
  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

  /** By a hash of the bytes of keys. */
  StripedLocks(ToLongFunction<byte[]> hash) {
    this.hash = hash;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ReentrantLock();
    }
  }

  /** The lock of a key. */
  ReentrantLock of(byte[] key) {
    return stripes[(int) (hash.applyAsLong(key) >>> 40) & STRIPES - 1];
  }

  /**
   * Locks a key.
   *
   * @return what is to be unlocked
   * @throws IllegalStateException if the thread holds it: it runs a function that is called for a
   *     key
   */
  ReentrantLock lock(byte[] key) {
    ReentrantLock lock = of(key);
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a function that is called for a key changes the cache");
    }
    lock.lock();
    return lock;
  }

  /** Runs an action while all keys are locked. */
  void withAll(Runnable action) {
    int locked = 0;
    try {
      for (ReentrantLock stripe : stripes) {
        stripe.lock();
        locked++;
      }
      action.run();
    } finally {
      for (int i = 0; i < locked; i++) {
        stripes[i].unlock();
      }
    }
  }
}
