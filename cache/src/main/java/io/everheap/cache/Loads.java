package io.everheap.cache;

import io.everheap.cache.Flights.Flight;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Loads what is missing: of several threads that ask for a key at the same time one calls the
 * loader, without a lock, and the others wait for its result. Thread-safe.
 */
final class Loads<K, V> {
  private final ObjectEntries<K, V> entries;
  private final StripedLocks locks;
  private final Flights<V> flights;
  private final Executor executor;
  private final LongAdder loads = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** What is missing in entries; asynchronous loads run in the executor. */
  Loads(ObjectEntries<K, V> entries, Executor executor) {
    this.entries = entries;
    this.locks = entries.locks();
    this.flights = entries.flights();
    this.executor = executor;
  }

  /** How many loaders returned. */
  long count() {
    return loads.sum();
  }

  /** How many loaders threw. */
  long failures() {
    return failures.sum();
  }

  /** How long all of them took. */
  long nanos() {
    return nanos.sum();
  }

  /** The value of a key, loaded if it is missing. */
  @Nullable V get(K key, Function<? super K, ? extends @Nullable V> load) {
    Objects.requireNonNull(load, "load");
    byte[] bytes = entries.key(key);
    V found = entries.find(key, bytes);
    return found != null ? found : load(key, bytes, load);
  }

  private @Nullable V load(K key, byte[] bytes, Function<? super K, ? extends @Nullable V> load) {
    Flight<V> flight = flights.of(bytes);
    if (flight == null) {
      var pilot = new Flights.Pilot();
      var own = new Flight<V>(bytes, pilot);
      try {
        synchronized (locks.toChange(bytes)) {
          flight = flights.of(bytes);
          if (flight == null) {
            V found = entries.peek(bytes);
            if (found != null) {
              return found;
            }
            flights.start(own);
          }
        }
        if (flight == null) {
          return fly(key, own, load); // without the lock
        }
      } finally {
        pilot.left = true; // by a store: a call may fail
      }
    }
    requireNotOwn(flight);
    return flight.await();
  }

  /** A loader that waits for its own result waits for ever. */
  private static void requireNotOwn(Flight<?> flight) {
    if (flight.pilot.thread.equals(Thread.currentThread()) && !flight.result.isDone()) {
      throw new IllegalStateException("a loader asks for the key that it is called for");
    }
  }

  private @Nullable V fly(
      K key, Flight<V> flight, Function<? super K, ? extends @Nullable V> load) {
    long start = System.nanoTime();
    V value = null;
    Throwable failure = null;
    try {
      value = load.apply(key);
    } catch (Throwable e) { // also what is checked, and was thrown all the same
      failure = e;
      throw e;
    } finally {
      try {
        add(start, failure);
      } finally {
        land(key, flight, value, failure);
      }
    }
    return value;
  }

  private void add(long start, @Nullable Throwable failure) {
    nanos.add(System.nanoTime() - start);
    (failure == null ? loads : failures).increment();
  }

  /** Puts what was loaded unless the key was changed, and tells those that wait. */
  private void land(K key, Flight<V> flight, @Nullable V value, @Nullable Throwable failure) {
    Throwable told = failure;
    try {
      synchronized (locks.of(flight.key)) {
        if (flights.land(flight) && value != null) {
          entries.store(key, flight.key, value, true);
        }
      }
    } catch (RuntimeException | Error e) {
      told = told == null ? e : told;
      throw e;
    } finally {
      if (told != null) {
        flight.result.completeExceptionally(told);
      } else {
        flight.result.complete(value);
      }
    }
  }

  /** The same by the executor; what fails, fails in the future. */
  CompletableFuture<@Nullable V> getAsync(K key, Function<? super K, ? extends @Nullable V> load) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(load, "load");
    try {
      byte[] bytes = entries.key(key);
      V found = entries.find(key, bytes);
      if (found != null) {
        return CompletableFuture.completedFuture(found);
      }
      Flight<V> flight = flights.of(bytes);
      if (flight != null) {
        requireNotOwn(flight);
        return flight.result.copy();
      }
      return CompletableFuture.supplyAsync(() -> get(key, load), executor);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The values of keys; those that are missing are loaded together. */
  Map<K, V> getAll(
      Iterable<? extends K> keys,
      Function<? super Set<? extends K>, ? extends Map<? extends K, ? extends V>> load) {
    Map<K, V> found = new LinkedHashMap<>();
    Map<K, Flight<V>> missing = new LinkedHashMap<>();
    Set<K> all = new LinkedHashSet<>();
    var pilot = new Flights.Pilot();
    for (K key : keys) {
      all.add(key);
      byte[] bytes = entries.key(key);
      V value = entries.find(key, bytes);
      if (value != null) {
        found.put(key, value);
      } else {
        missing.putIfAbsent(key, new Flight<>(bytes, pilot));
      }
    }
    try {
      if (!missing.isEmpty()) {
        found.putAll(loadAll(missing, load));
      }
    } finally {
      pilot.left = true; // by a store: a call may fail
    }
    Map<K, V> ordered = new LinkedHashMap<>();
    for (K key : all) {
      V value = found.get(key);
      if (value != null) {
        ordered.put(key, value);
      }
    }
    return ordered;
  }

  private Map<? extends K, ? extends V> loadAll(
      Map<K, Flight<V>> missing,
      Function<? super Set<? extends K>, ? extends Map<? extends K, ? extends V>> load) {
    long start = System.nanoTime();
    Map<? extends K, ? extends V> loaded = Map.of();
    Throwable failure = null;
    try {
      // A flight for each, so that a change of a key meanwhile keeps what is loaded out.
      missing.values().forEach(this::startIfNone);
      loaded = Objects.requireNonNull(load.apply(Set.copyOf(missing.keySet())), "loaded");
    } catch (Throwable e) {
      failure = e;
      throw e;
    } finally {
      try {
        add(start, failure);
      } finally {
        landAll(missing, loaded, failure);
      }
    }
    for (Map.Entry<? extends K, ? extends V> each : loaded.entrySet()) {
      if (!missing.containsKey(each.getKey())) {
        V value = Objects.requireNonNull(each.getValue(), "value");
        V _ = entries.putIfAbsent(each.getKey(), value);
      }
    }
    return loaded;
  }

  /** Lands all: a flight that is left would let others wait for ever. Throws the first failure. */
  private void landAll(
      Map<K, Flight<V>> flights,
      Map<? extends K, ? extends V> loaded,
      @Nullable Throwable failure) {
    Throwable failed = null;
    for (Map.Entry<K, Flight<V>> each : flights.entrySet()) {
      try {
        landOne(each.getKey(), each.getValue(), loaded, failure);
      } catch (RuntimeException | Error e) {
        failed = failed == null ? e : failed;
      }
    }
    switch (failed) {
      case null -> {}
      case Error error -> throw error;
      default -> throw (RuntimeException) failed;
    }
  }

  /** The map is the program's, and may fail too. */
  private void landOne(
      K key, Flight<V> flight, Map<? extends K, ? extends V> loaded, @Nullable Throwable failure) {
    V value = null;
    Throwable told = failure;
    try {
      value = loaded.get(key);
    } catch (Throwable e) {
      told = told == null ? e : told;
      throw e;
    } finally {
      land(key, flight, value, told);
    }
  }

  private void startIfNone(Flight<V> flight) {
    synchronized (locks.toChange(flight.key)) {
      if (flights.of(flight.key) == null) {
        flights.start(flight);
      }
    }
  }
}
