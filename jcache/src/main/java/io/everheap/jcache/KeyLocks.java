package io.everheap.jcache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock for each key that a thread uses. Code of the program runs under them: loaders, writers,
 * entry processors, listeners. They are exact, so that this code waits for threads that use the
 * same key only, and re-entrant, so that it may use the cache. Thread-safe.
 *
 * <p>A StackOverflowError can strike at each call, also at one that gives a lock up. So the lock of
 * one key is a monitor, and locks of several keys belong to a holder whose end is an assignment. An
 * error can leave the unused lock of a key in memory until the key is used again.
 */
final class KeyLocks {
  /** A thread that waits for a holder looks again after this time, should a wake-up be lost. */
  private static final long RECHECK_MILLIS = 1000;

  private final Map<Key, Lock> locks = new ConcurrentHashMap<>();

  /** The bytes of a key. */
  @SuppressWarnings("ArrayRecordComponent") // compared below
  private record Key(byte[] bytes) implements Comparable<Key> {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public int compareTo(Key other) {
      return Arrays.compareUnsigned(bytes, other.bytes);
    }
  }

  /** The lock of a key; its monitor guards all fields but the count of arrivals. */
  static final class Lock {
    private final Key key;
    private final AtomicInteger arriving = new AtomicInteger(); // keep it, and so their places
    private int users; // inside, or waiting for the holder
    private @Nullable Holder holder;
    private boolean removed; // from the map: of no use any more

    /** Whether the value of the key is being loaded; assigned by the thread that has the lock. */
    boolean loading;

    private Lock(Key key) {
      this.key = key;
    }

    /** Whether an operation of several keys has the lock. */
    private boolean isHeld() {
      Holder now = holder;
      return now != null && !now.ended;
    }

    private void awaitHolder() {
      boolean interrupted = false;
      try {
        while (isHeld() && !isMine()) {
          try {
            wait(RECHECK_MILLIS);
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private boolean isMine() {
      Holder now = holder;
      return now != null && now.thread.equals(Thread.currentThread());
    }
  }

  /** An operation of several keys. */
  private static final class Holder {
    final Thread thread = Thread.currentThread();
    final List<Lock> locks = new ArrayList<>();
    volatile boolean ended;
  }

  /** Runs an operation of one key under its lock. */
  <R extends @Nullable Object> R locked(byte[] bytes, Function<Lock, R> operation) {
    Key key = new Key(bytes);
    while (true) {
      Lock lock = lock(key);
      lock.arriving.incrementAndGet();
      synchronized (lock) {
        if (!lock.removed) {
          lock.users++;
          try {
            lock.arriving.decrementAndGet();
            lock.awaitHolder();
            return operation.apply(lock);
          } finally {
            lock.users--;
            if (lock.users > 0 && !lock.isHeld()) {
              lock.notify(); // passes the wake-up of giveBack on
            }
            removeIfUnused(lock);
          }
        }
      }
      locks.remove(key, lock); // in case an error kept the other thread from it
    }
  }

  /**
   * Runs an operation of several keys under their locks, taken in the same order in all threads.
   */
  <R extends @Nullable Object> R lockedAll(Collection<byte[]> keys, Supplier<R> operation) {
    Holder holder = new Holder();
    try {
      keys.stream()
          .map(Key::new)
          .distinct()
          .sorted()
          .forEach(key -> locked(key.bytes, lock -> hold(lock, holder)));
      return operation.get();
    } finally {
      try {
        holder.locks.forEach(lock -> giveBack(lock, holder));
      } finally {
        holder.ended = true;
      }
    }
  }

  /** Takes a lock for a holder, unless an outer operation of this thread has it. */
  private static boolean hold(Lock lock, Holder holder) {
    if (!lock.isHeld()) {
      holder.locks.add(lock);
      lock.holder = holder;
    }
    return true;
  }

  private void giveBack(Lock lock, Holder holder) {
    synchronized (lock) {
      if (lock.holder == holder) {
        lock.holder = null;
        lock.notify();
        removeIfUnused(lock);
      }
    }
  }

  private Lock lock(Key key) {
    Lock found = locks.get(key);
    if (found != null) {
      return found;
    }
    Lock fresh = new Lock(key);
    Lock other = locks.putIfAbsent(key, fresh);
    return other == null ? fresh : other;
  }

  private void removeIfUnused(Lock lock) {
    if (lock.users == 0 && lock.arriving.get() == 0 && !lock.isHeld()) {
      lock.removed = true;
      locks.remove(lock.key, lock);
    }
  }

  /** Whether no thread holds or waits for any. */
  boolean isIdle() {
    return locks.isEmpty();
  }
}
