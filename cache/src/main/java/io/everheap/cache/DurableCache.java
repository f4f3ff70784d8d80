package io.everheap.cache;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
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
 * @since 0.9
 */
@Stable
public final class DurableCache<K, V> implements AutoCloseable {
  private final ObjectEntries<K, V> entries;
  private final Loads<K, V> loads;
  private final @Nullable Function<? super K, ? extends @Nullable V> loader;
  private final CacheMap<K, V> map;
  private final TimedEntries<K, V> timed;

  DurableCache(
      ObjectEntries<K, V> entries,
      @Nullable Function<? super K, ? extends @Nullable V> loader,
      Executor executor) {
    this.entries = entries;
    this.loads = new Loads<>(entries, executor);
    this.loader = loader;
    this.map = new CacheMap<>(entries, loads);
    this.timed = new TimedEntries<>(entries);
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
    return entries.find(key, entries.key(key));
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
    return loads.get(key, load);
  }

  /**
   * Returns the value of a key, loaded in the executor if it is missing.
   *
   * @param key its key
   * @param load makes the value; called once however many ask
   * @return the value to come; completed already if it is there; whatever fails, fails in it
   */
  public CompletableFuture<@Nullable V> getAsync(
      K key, Function<? super K, ? extends @Nullable V> load) {
    return loads.getAsync(key, load);
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
    return loads.getAll(keys, load);
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
    entries.put(key, value);
  }

  /**
   * Puts a value that expires a time from now, whatever the cache's options say of entries that are
   * written. Reading it may let it expire later, as they say of entries that are read.
   *
   * @param key its key
   * @param value the value
   * @param time how long it is valid
   */
  public void put(K key, V value, Duration time) {
    entries.put(key, value, entries.times().in(time));
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
    return entries.putIfAbsent(key, value);
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
    return entries.change(key, old -> function.apply(key, old), true, true);
  }

  /**
   * Removes the entry of a key, and keeps a load that is under way from putting one. Survives a
   * kill when this returns.
   *
   * @param key its key
   */
  public void invalidate(K key) {
    entries.invalidate(key);
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
    entries.invalidateAll();
  }

  /**
   * Returns the cache as a map: a view whose changes are changes of the cache. Its size is an
   * estimate. Its iterators throw no {@code ConcurrentModificationException}; they return an entry
   * that is put or removed meanwhile, or not, and one that is replaced meanwhile once, twice or not
   * at all, because it moves.
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
    return entries.size();
  }

  /**
   * Returns the cache of blocks below, for statistics and upkeep.
   *
   * @return the blocks; keys and values there are bytes of the codecs
   */
  public BlockCache blocks() {
    return entries.blocks();
  }

  /**
   * Returns figures of this cache.
   *
   * @return what happened since it was opened, and where its space is
   */
  public CacheStats stats() {
    return entries.blocks().stats(loads.count(), loads.failures(), loads.nanos());
  }

  /** Removes the entries whose time is over. Happens by itself from time to time. */
  public void cleanUp() {
    entries.blocks().expire();
  }

  /**
   * Makes everything durable and closes the cache; what it holds is there when it is opened again.
   * Idempotent.
   */
  @Override
  public void close() {
    entries.blocks().close();
  }
}
