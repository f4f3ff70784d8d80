package io.everheap.cache;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The loads that are under way, one for each key. A change of a key grounds its flight: what the
 * load returns then goes to those that wait for it, and not into the cache. Any thread may board;
 * flights start, land and are grounded under the key's lock.
 */
final class Flights<V> {
  private final Map<Key, Flight<V>> flying = new ConcurrentHashMap<>();

  /** The bytes of a key. */
  @SuppressWarnings("ArrayRecordComponent") // compared below
  private record Key(byte[] bytes, int hash) {
    Key(byte[] bytes) {
      this(bytes, Arrays.hashCode(bytes));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && hash == key.hash && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** A load and those that wait for it. */
  static final class Flight<V> {
    final byte[] key;
    final CompletableFuture<@Nullable V> result = new CompletableFuture<>();
    final Thread pilot = Thread.currentThread();

    /** One for a key. */
    Flight(byte[] key) {
      this.key = key;
    }
  }

  /** The flight of a key; null if there is none. */
  @Nullable Flight<V> of(byte[] key) {
    return flying.get(new Key(key));
  }

  /** Starts one. */
  void start(Flight<V> flight) {
    flying.put(new Key(flight.key), flight);
  }

  /** Ends one; false if it was grounded, or never started. */
  boolean land(Flight<V> flight) {
    return flying.remove(new Key(flight.key), flight);
  }

  /** The key was changed. */
  void ground(byte[] key) {
    flying.remove(new Key(key));
  }

  /** All keys were changed. */
  void groundAll() {
    flying.clear();
  }
}
