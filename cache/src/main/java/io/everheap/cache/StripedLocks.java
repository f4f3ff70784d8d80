package io.everheap.cache;

import java.util.function.ToLongFunction;

/**
 * Locks of keys: changes of one key happen one after the other. Keys share locks, which are
 * monitors: releasing one cannot fail when the stack is exhausted, as a call can. Thread-safe.
 */
final class StripedLocks {
  private static final int STRIPES = 256;

  private final ToLongFunction<byte[]> hash;
  private final Object[] stripes = new Object[STRIPES];

  /** By a hash of the bytes of keys. */
  StripedLocks(ToLongFunction<byte[]> hash) {
    this.hash = hash;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Object();
    }
  }

  /** The lock of a key. */
  Object of(byte[] key) {
    return stripes[(int) (hash.applyAsLong(key) >>> 40) & STRIPES - 1];
  }

  /**
   * The lock of a key that is about to be changed.
   *
   * @throws IllegalStateException if the thread holds it: it runs a function that is called for a
   *     key
   */
  Object toChange(byte[] key) {
    Object lock = of(key);
    if (Thread.holdsLock(lock)) {
      throw new IllegalStateException("a function that is called for a key changes the cache");
    }
    return lock;
  }

  /** Runs an action while all keys are locked. */
  void withAll(Runnable action) {
    withAll(0, action);
  }

  private void withAll(int from, Runnable action) {
    if (from == STRIPES) {
      action.run();
      return;
    }
    synchronized (stripes[from]) {
      withAll(from + 1, action);
    }
  }
}
