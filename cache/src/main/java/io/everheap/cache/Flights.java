package io.everheap.cache;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The loads that are under way, one for each key. A change of a key grounds its flight: what the
 * load returns then goes to those that wait for it, and not into the cache. Any thread may board;
 * flights start, land and are grounded under the key's lock. An error of the virtual machine may
 * keep a pilot from landing; then the next thread that asks for the key, or waits for it, ends the
 * flight.
 */
final class Flights<V> {
  private static final long RECHECK_MILLIS = 100;

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

  /** A thread that loads the values of one or more keys. */
  static final class Pilot {
    final Thread thread = Thread.currentThread();

    /** Whether it left, which may be by an error that kept it from landing. */
    volatile boolean left;
  }

  /** A load and those that wait for it. */
  static final class Flight<V> {
    final byte[] key;
    final CompletableFuture<@Nullable V> result = new CompletableFuture<>();
    final Pilot pilot;

    /** One for a key. */
    Flight(byte[] key, Pilot pilot) {
      this.key = key;
      this.pilot = pilot;
    }

    /** Waits for the result. */
    @Nullable V await() {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return result.get(RECHECK_MILLIS, TimeUnit.MILLISECONDS);
          } catch (InterruptedException e) {
            interrupted = true;
          } catch (TimeoutException e) {
            if (pilot.left) {
              fail();
            }
          } catch (ExecutionException e) {
            switch (e.getCause()) {
              case RuntimeException cause -> throw cause;
              case Error cause -> throw cause;
              case null, default ->
                  throw new CompletionException("the loader of a cache failed", e.getCause());
            }
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    /** Tells those that wait that the pilot could not, unless it did. */
    void fail() {
      boolean _ =
          result.completeExceptionally(
              new IllegalStateException("an error of the virtual machine ended the load"));
    }
  }

  /** The flight of a key; null if there is none. */
  @Nullable Flight<V> of(byte[] key) {
    Flight<V> flight = flying.get(new Key(key));
    if (flight != null && flight.pilot.left) {
      boolean _ = land(flight);
      flight.fail();
      return null;
    }
    return flight;
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
