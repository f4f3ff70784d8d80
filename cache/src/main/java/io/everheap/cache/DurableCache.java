package io.everheap.cache;

import io.everheap.cache.Flights.Flight;
import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.error.CorruptValueException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of objects in files that outlive the process: after a {@code kill -9} it serves what it
 * held before. Keys and values are stored by codecs; a value that is read is a new object, equal to
 * the one that was put. What is promised of blocks, in {@link BlockCache}, holds for entries.
 *
 * <p>Names and habits are those of Caffeine, except that an entry's weight is always the bytes that
 * it takes. Any thread may use a cache. Changes of one key happen one after the other; lookups take
 * no lock. {@code null} is neither a key nor a value. Functions that are called for a key must not
 * change the cache; for the same key that throws {@link IllegalStateException}. An entry that does
 * not fit is counted as a reject, and is not put; the one under its key is removed.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class DurableCache<K, V> implements AutoCloseable {
  private static final int STRIPES = 256;

  private final BlockCache blocks;
  private final Coding<K, V> coding;
  private final EntryTimes<K, V> times;
  private final @Nullable Function<? super K, ? extends @Nullable V> loader;
  private final Executor executor;
  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];
  private final Flights<V> flights = new Flights<>();
  private final CacheMap<K, V> map = new CacheMap<>(this);
  private final TimedEntries<K, V> timed = new TimedEntries<>(this);
  private final LongAdder loads = new LongAdder();
  private final LongAdder loadFailures = new LongAdder();
  private final LongAdder loadNanos = new LongAdder();

  DurableCache(
      BlockCache blocks,
      Coding<K, V> coding,
      EntryTimes<K, V> times,
      @Nullable Function<? super K, ? extends @Nullable V> loader,
      Executor executor) {
    this.blocks = blocks;
    this.coding = coding;
    this.times = times;
    this.loader = loader;
    this.executor = executor;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ReentrantLock();
    }
  }

  /**
   * Prepares to open a cache of types that the library has codecs for.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param directory made if it is missing
   * @param capacity the most bytes that the cache takes there
   * @param keys the class of the keys
   * @param values the class of the values
   * @return what sets the options
   * @throws io.everheap.error.UnsupportedTypeException if a class has no codec
   */
  public static <K, V> DurableCacheBuilder<K, V> builder(
      Path directory, long capacity, Class<K> keys, Class<V> values) {
    var registry = new CodecRegistry();
    return builder(directory, capacity, registry.forClass(keys), registry.forClass(values));
  }

  /**
   * Prepares to open a cache.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param directory made if it is missing
   * @param capacity the most bytes that the cache takes there
   * @param keys the codec of the keys, whose equal values have equal bytes
   * @param values the codec of the values
   * @return what sets the options
   */
  public static <K, V> DurableCacheBuilder<K, V> builder(
      Path directory, long capacity, Codec<K> keys, Codec<V> values) {
    return new DurableCacheBuilder<>(directory, capacity, keys, values);
  }

  /**
   * Looks a value up.
   *
   * @param key its key
   * @return the value; {@code null} if there is none
   */
  public @Nullable V getIfPresent(K key) {
    return find(key, coding.key(key));
  }

  private @Nullable V find(K key, byte[] bytes) {
    try (BlockHandle handle = blocks.get(bytes)) {
      if (handle == null) {
        return null;
      }
      V value = coding.value(handle.toArray());
      times.read(blocks.store(), handle.slot(), key, value);
      return value;
    } catch (CorruptValueException e) {
      boolean _ = blocks.invalidate(bytes); // the codec changed, and not its name
      return null;
    }
  }

  /** The value without counting that as a use. */
  @Nullable V peek(byte[] bytes) {
    try (BlockHandle handle = blocks.peek(bytes)) {
      return handle == null ? null : coding.value(handle.toArray());
    } catch (CorruptValueException e) {
      return null;
    }
  }

  /**
   * Returns the value of a key, loaded by the loader of the cache if it is missing.
   *
   * @param key its key
   * @return the value; {@code null} if there is none to load
   * @throws IllegalStateException if the cache has no loader
   */
  public @Nullable V get(K key) {
    return get(key, requireLoader());
  }

  /**
   * Returns the value of a key, loaded if it is missing. Of several threads that ask at the same
   * time, one loads and the others wait for its result. If the key is changed meanwhile the result
   * is returned, and not put.
   *
   * @param key its key
   * @param load makes the value; what it throws is thrown to all that wait; {@code null} is
   *     returned and not put
   * @return the value
   */
  public @Nullable V get(K key, Function<? super K, ? extends @Nullable V> load) {
    Objects.requireNonNull(load, "load");
    byte[] bytes = coding.key(key);
    V found = find(key, bytes);
    return found != null ? found : load(key, bytes, load);
  }

  private @Nullable V load(K key, byte[] bytes, Function<? super K, ? extends @Nullable V> load) {
    Flight<V> flight = flights.of(bytes);
    boolean isPilot = false;
    if (flight == null) {
      ReentrantLock lock = lock(bytes);
      try {
        flight = flights.of(bytes);
        if (flight == null) {
          V found = peek(bytes);
          if (found != null) {
            return found;
          }
          flight = flights.start(bytes);
          isPilot = true;
        }
      } finally {
        lock.unlock();
      }
    }
    // Without the lock, which the pilot needs to land.
    return isPilot ? fly(key, bytes, flight, load) : await(flight);
  }

  private @Nullable V await(Flight<V> flight) {
    if (flight.pilot.equals(Thread.currentThread()) && !flight.result.isDone()) {
      throw new IllegalStateException("a loader asks for the key that it is called for");
    }
    try {
      return flight.result.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw e;
      }
    }
  }

  private @Nullable V fly(
      K key, byte[] bytes, Flight<V> flight, Function<? super K, ? extends @Nullable V> load) {
    long start = System.nanoTime();
    V value = null;
    Throwable failure = null;
    try {
      value = load.apply(key);
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      loadNanos.add(System.nanoTime() - start);
      (failure == null ? loads : loadFailures).increment();
      land(key, bytes, flight, value, failure);
    }
    return value;
  }

  /** Puts what was loaded unless the key was changed, and tells those that wait. */
  private void land(
      K key, byte[] bytes, Flight<V> flight, @Nullable V value, @Nullable Throwable failure) {
    Throwable told = failure;
    ReentrantLock lock = stripe(bytes);
    lock.lock();
    try {
      if (flights.land(bytes, flight) && value != null) {
        boolean _ = store(key, bytes, value, true);
      }
    } catch (RuntimeException | Error e) {
      told = told == null ? e : told;
      throw e;
    } finally {
      lock.unlock();
      if (told != null) {
        flight.result.completeExceptionally(told);
      } else {
        flight.result.complete(value);
      }
    }
  }

  /**
   * Returns the value of a key, loaded in the executor if it is missing.
   *
   * @param key its key
   * @param load makes the value; called once however many ask
   * @return the value to come; completed already if it is there
   */
  public CompletableFuture<@Nullable V> getAsync(
      K key, Function<? super K, ? extends @Nullable V> load) {
    byte[] bytes = coding.key(key);
    V found = find(key, bytes);
    if (found != null) {
      return CompletableFuture.completedFuture(found);
    }
    Flight<V> flight = flights.of(bytes);
    if (flight != null) {
      return flight.result.copy();
    }
    return CompletableFuture.supplyAsync(() -> get(key, load), executor);
  }

  /**
   * Returns the values of keys, as far as they are there.
   *
   * @param keys the keys
   * @return the values that were found, in the order of the keys
   */
  public Map<K, V> getAllPresent(Iterable<? extends K> keys) {
    Map<K, V> found = new LinkedHashMap<>();
    for (K key : keys) {
      V value = getIfPresent(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  /**
   * Returns the values of keys; those that are missing are loaded one by one by the cache's loader.
   *
   * @param keys the keys
   * @return the values, in the order of the keys, without those that there is nothing to load for
   * @throws IllegalStateException if the cache has no loader
   */
  public Map<K, V> getAll(Iterable<? extends K> keys) {
    Function<? super K, ? extends @Nullable V> load = requireLoader();
    Map<K, V> found = new LinkedHashMap<>();
    for (K key : keys) {
      V value = get(key, load);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  /**
   * Returns the values of keys; those that are missing are loaded together. Loads of single keys
   * that are under way are not waited for.
   *
   * @param keys the keys
   * @param load makes the values of some keys; values of further keys are put too
   * @return the values, in the order of the keys, without those that there is nothing to load for
   */
  public Map<K, V> getAll(
      Iterable<? extends K> keys,
      Function<? super Set<? extends K>, ? extends Map<? extends K, ? extends V>> load) {
    Map<K, V> found = new LinkedHashMap<>();
    Map<K, Flight<V>> missing = new LinkedHashMap<>();
    Set<K> all = new LinkedHashSet<>();
    for (K key : keys) {
      all.add(key);
      V value = getIfPresent(key);
      if (value != null) {
        found.put(key, value);
      } else if (!missing.containsKey(key)) {
        missing.put(key, new Flight<>());
      }
    }
    if (!missing.isEmpty()) {
      found.putAll(loadAll(missing, load));
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
    // A flight for each, so that a change of a key meanwhile keeps what is loaded out.
    missing.replaceAll((key, none) -> startIfNone(coding.key(key), none));
    long start = System.nanoTime();
    Map<? extends K, ? extends V> loaded = Map.of();
    Throwable failure = null;
    try {
      loaded = Objects.requireNonNull(load.apply(Set.copyOf(missing.keySet())), "loaded");
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      loadNanos.add(System.nanoTime() - start);
      (failure == null ? loads : loadFailures).increment();
      for (Map.Entry<K, Flight<V>> each : missing.entrySet()) {
        K key = each.getKey();
        land(key, coding.key(key), each.getValue(), loaded.get(key), failure);
      }
    }
    for (Map.Entry<? extends K, ? extends V> each : loaded.entrySet()) {
      if (!missing.containsKey(each.getKey())) {
        putIfAbsent(each.getKey(), each.getValue());
      }
    }
    return loaded;
  }

  private Flight<V> startIfNone(byte[] bytes, Flight<V> none) {
    ReentrantLock lock = lock(bytes);
    try {
      return flights.of(bytes) == null ? flights.start(bytes) : none;
    } finally {
      lock.unlock();
    }
  }

  private Function<? super K, ? extends @Nullable V> requireLoader() {
    if (loader == null) {
      throw new IllegalStateException("the cache was opened without a loader");
    }
    return loader;
  }

  /**
   * Puts a value.
   *
   * @param key its key
   * @param value the value
   */
  public void put(K key, V value) {
    byte[] bytes = coding.key(key);
    ReentrantLock lock = lock(bytes);
    try {
      flights.ground(bytes);
      boolean _ = store(key, bytes, value, isNew(bytes));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts a value that expires a time from now, whatever the cache's options say.
   *
   * @param key its key
   * @param value the value
   * @param time how long it is valid
   */
  public void put(K key, V value, Duration time) {
    put(key, value, times.in(time));
  }

  /** Puts a value that expires at a time, in milliseconds since 1970. */
  void put(K key, V value, long expiry) {
    byte[] bytes = coding.key(key);
    byte[] encoded = coding.value(value);
    ReentrantLock lock = lock(bytes);
    try {
      flights.ground(bytes);
      boolean _ = blocks.put(bytes, MemorySegment.ofArray(encoded), expiry);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts values.
   *
   * @param entries keys and values
   */
  public void putAll(Map<? extends K, ? extends V> entries) {
    entries.forEach(this::put);
  }

  /**
   * Puts a value unless there is one.
   *
   * @param key its key
   * @param value the value
   * @return the value that was there; {@code null} if it was put
   */
  public @Nullable V putIfAbsent(K key, V value) {
    Objects.requireNonNull(value, "value");
    return change(key, old -> old == null ? value : old, false, false);
  }

  /**
   * Changes the value of a key.
   *
   * @param key its key
   * @param function makes the new value of the key and the old one, {@code null} if there is none;
   *     {@code null} removes it
   * @return the new value; {@code null} if there is none
   */
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return change(key, old -> function.apply(key, old), true, true);
  }

  /**
   * Changes a value under its key's lock: puts what the function makes of it, unless it is the same
   * object, and removes it if that is null.
   *
   * @param returnsNew whether the new value is returned, else the old one
   * @param removes whether null also removes an entry that recovery did not find yet
   */
  @SuppressWarnings("ReferenceEquality") // a function that keeps the value returns the same one
  @Nullable V change(
      K key,
      Function<? super @Nullable V, ? extends @Nullable V> function,
      boolean returnsNew,
      boolean removes) {
    byte[] bytes = coding.key(key);
    ReentrantLock lock = lock(bytes);
    try {
      V old = peek(bytes);
      V next = function.apply(old);
      if (next == null) {
        flights.ground(bytes);
        if (old != null || (removes && !blocks.isIndexed())) {
          boolean _ = blocks.invalidate(bytes);
        }
      } else if (next != old) {
        flights.ground(bytes);
        boolean _ = store(key, bytes, next, old == null);
      }
      return returnsNew ? next : old;
    } finally {
      lock.unlock();
    }
  }

  private boolean isNew(byte[] bytes) {
    return times.distinguishesUpdates() && !blocks.contains(bytes);
  }

  private boolean store(K key, byte[] bytes, V value, boolean isNew) {
    byte[] encoded = coding.value(value);
    return blocks.put(bytes, MemorySegment.ofArray(encoded), times.written(key, value, isNew));
  }

  /**
   * Removes the entry of a key, and keeps a load that is under way from putting one. Survives a
   * kill when this returns.
   *
   * @param key its key
   */
  public void invalidate(K key) {
    byte[] bytes = coding.key(key);
    ReentrantLock lock = lock(bytes);
    try {
      flights.ground(bytes);
      boolean _ = blocks.invalidate(bytes);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes the entries of keys.
   *
   * @param keys the keys
   */
  public void invalidateAll(Iterable<? extends K> keys) {
    keys.forEach(this::invalidate);
  }

  /** Removes all entries; durable in any mode when this returns. */
  public void invalidateAll() {
    int locked = 0;
    try {
      for (ReentrantLock stripe : stripes) {
        stripe.lock();
        locked++;
      }
      flights.groundAll();
      blocks.invalidateAll();
    } finally {
      for (int i = 0; i < locked; i++) {
        stripes[i].unlock();
      }
    }
  }

  private ReentrantLock stripe(byte[] bytes) {
    return stripes[(int) (blocks.store().hash(bytes) >>> 40) & STRIPES - 1];
  }

  private ReentrantLock lock(byte[] bytes) {
    ReentrantLock lock = stripe(bytes);
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a function that is called for a key changes the cache");
    }
    lock.lock();
    return lock;
  }

  /**
   * Returns the cache as a map: a view whose changes are changes of the cache. Its iterators are
   * weakly consistent; its size is an estimate.
   *
   * @return the view
   */
  public ConcurrentMap<K, V> asMap() {
    return map;
  }

  /**
   * Returns the entries with the times at which they expire.
   *
   * @return a view, without state of its own
   */
  public TimedEntries<K, V> timed() {
    return timed;
  }

  /**
   * Returns how many entries there are, as far as those of earlier openings are known, with those
   * whose time is over and that were not removed yet.
   *
   * @return the number
   */
  public long estimatedSize() {
    return blocks.stats().entries();
  }

  /**
   * Returns the cache of blocks below, for statistics and upkeep.
   *
   * @return the blocks; keys and values there are bytes of the codecs
   */
  public BlockCache blocks() {
    return blocks;
  }

  /**
   * Returns figures of this cache.
   *
   * @return what happened since it was opened, and where its space is
   */
  public CacheStats stats() {
    return blocks.stats(loads.sum(), loadFailures.sum(), loadNanos.sum());
  }

  /** Removes the entries whose time is over. Happens by itself from time to time. */
  public void cleanUp() {
    blocks.expire();
  }

  Coding<K, V> coding() {
    return coding;
  }

  EntryTimes<K, V> times() {
    return times;
  }

  /**
   * Makes everything durable and closes the cache; what it holds is there when it is opened again.
   * Idempotent.
   */
  @Override
  public void close() {
    blocks.close();
  }
}
