package io.everheap.jcache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock for each key that a thread uses. Code of the program runs under them: loaders, writers,
 * entry processors, listeners. They are exact, so that this code waits for threads that use the
 * same key only, and re-entrant, so that it may use the cache. Thread-safe.
 */
final class KeyLocks {
  private final Map<Key, Counted> locks = new ConcurrentHashMap<>();

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

  private static final class Counted {
    final ReentrantLock lock = new ReentrantLock();
    int users; // changed by computations of the map only
    boolean loading; // under the lock
  }

  /** Locks that a thread holds. */
  final class Held implements AutoCloseable {
    private final List<Key> keys = new ArrayList<>();

    private void take(Key key) {
      Counted counted =
          Objects.requireNonNull(
              locks.compute(
                  key,
                  (k, found) -> {
                    Counted its = found == null ? new Counted() : found;
                    its.users++;
                    return its;
                  }));
      counted.lock.lock();
      keys.add(key);
    }

    /**
     * Says that the value of the key is being loaded.
     *
     * @throws IllegalStateException if it is already, by this thread
     */
    void beginLoad() {
      Counted counted = counted(keys.getFirst());
      if (counted.loading) {
        throw new IllegalStateException("a loader asks for the key that it is called for");
      }
      counted.loading = true;
    }

    /** Says that the value was loaded, or was not. */
    void endLoad() {
      counted(keys.getFirst()).loading = false;
    }

    private Counted counted(Key key) {
      return Objects.requireNonNull(locks.get(key));
    }

    @Override
    public void close() {
      for (Key key : keys) {
        counted(key).lock.unlock();
        Counted _ = locks.computeIfPresent(key, (k, its) -> --its.users == 0 ? null : its);
      }
    }
  }

  /** Takes the lock of a key. */
  Held lock(byte[] key) {
    var held = new Held();
    held.take(new Key(key));
    return held;
  }

  /** Takes the locks of keys, in the same order in all threads. */
  Held lockAll(Collection<byte[]> keys) {
    var held = new Held();
    keys.stream().map(Key::new).distinct().sorted().forEach(held::take);
    return held;
  }

  /** Whether no thread holds or waits for any. */
  boolean isIdle() {
    return locks.isEmpty();
  }
}
