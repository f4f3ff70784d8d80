package io.everheap.cache;

import io.everheap.cache.codec.ReformedCodec;
import io.everheap.cache.format.Mix;
import io.everheap.codec.Codec;
import io.everheap.encryption.KeyProvider;
import io.everheap.memory.Closing;
import io.everheap.stability.Stable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How to open a cache of objects: see {@link BlockCacheBuilder} for the defaults. Not thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 * @since 0.9
 */
@Stable
public final class DurableCacheBuilder<K, V> {
  private final BlockCacheBuilder blocks;
  private final Codec<K> keys;
  private final Codec<V> values;
  private @Nullable Duration afterWrite;
  private @Nullable Duration afterAccess;
  private @Nullable CacheExpiry<? super K, ? super V> expiry;
  private @Nullable Function<? super K, ? extends @Nullable V> loader;
  private @Nullable RemovalListener<? super K, ? super V> listener;
  private Set<RemovalCause> causes = Set.of(RemovalCause.values());
  private Executor executor = ForkJoinPool.commonPool();
  private long generation;

  DurableCacheBuilder(Path directory, long capacity, Codec<K> keys, Codec<V> values) {
    this.blocks = BlockCache.builder(directory, capacity);
    this.keys = Objects.requireNonNull(keys, "keys");
    this.values = Objects.requireNonNull(values, "values");
    if (!keys.canonical()) {
      throw new IllegalArgumentException(
          "keys are found by their bytes, and equal values of the codec "
              + keys.name()
              + " may have different ones");
    }
  }

  /**
   * Sets what does not depend on the type of the entries: directories, policy, durability. Tokens
   * and listeners of blocks are the cache's own.
   *
   * @param options sets options of the cache of blocks below
   * @return this
   */
  public DurableCacheBuilder<K, V> blocks(Consumer<BlockCacheBuilder> options) {
    options.accept(blocks);
    return this;
  }

  /**
   * Encrypts and authenticates the cache; see {@link BlockCacheBuilder#encrypt}.
   *
   * @param provider gives the wrapping key
   * @return this
   */
  public DurableCacheBuilder<K, V> encrypt(KeyProvider provider) {
    blocks.encrypt(provider);
    return this;
  }

  /**
   * Lets entries expire a time after they were put or loaded.
   *
   * @param time positive
   * @return this
   */
  public DurableCacheBuilder<K, V> expireAfterWrite(Duration time) {
    afterWrite = positive(time);
    return this;
  }

  /**
   * Lets entries expire a time after they were put, loaded or read last. A read stores the new time
   * with the entry, at most a thousand times in that time.
   *
   * @param time positive
   * @return this
   */
  public DurableCacheBuilder<K, V> expireAfterAccess(Duration time) {
    afterAccess = positive(time);
    return this;
  }

  /**
   * Lets each entry expire at a time of its own. Not together with the other two.
   *
   * @param times tells them
   * @return this
   */
  public DurableCacheBuilder<K, V> expireAfter(CacheExpiry<? super K, ? super V> times) {
    expiry = Objects.requireNonNull(times, "expiry");
    return this;
  }

  /**
   * Sets what loads missing values in {@link DurableCache#get(Object)} and {@link
   * DurableCache#getAll}.
   *
   * @param load makes the value of a key; {@code null} if there is none
   * @return this
   */
  public DurableCacheBuilder<K, V> loader(Function<? super K, ? extends @Nullable V> load) {
    loader = Objects.requireNonNull(load, "loader");
    return this;
  }

  /**
   * Sets who is told of entries that leave the cache, by the executor.
   *
   * @param removals the listener
   * @return this
   */
  public DurableCacheBuilder<K, V> removalListener(RemovalListener<? super K, ? super V> removals) {
    return removalListener(removals, Set.of(RemovalCause.values()));
  }

  /**
   * Sets what is told of entries that leave the cache for some causes only, by the executor.
   * Entries that leave for others are not decoded.
   *
   * @param removals the listener
   * @param told which removals it is told of
   * @return this
   */
  public DurableCacheBuilder<K, V> removalListener(
      RemovalListener<? super K, ? super V> removals, Set<RemovalCause> told) {
    listener = Objects.requireNonNull(removals, "listener");
    causes = Set.copyOf(told);
    return this;
  }

  /**
   * Sets what runs listeners and asynchronous loads.
   *
   * @param runs the common pool by default
   * @return this
   */
  public DurableCacheBuilder<K, V> executor(Executor runs) {
    executor = Objects.requireNonNull(runs, "executor");
    return this;
  }

  /**
   * Names what the entries are valid for; see {@link BlockCacheBuilder#generation}. Entries that
   * were written by other codecs are dropped in any case.
   *
   * @param token any number
   * @return this
   */
  public DurableCacheBuilder<K, V> generation(long token) {
    generation = token;
    return this;
  }

  /**
   * Opens the cache, or makes it; see {@link BlockCacheBuilder#open}.
   *
   * @return the cache
   */
  public DurableCache<K, V> open() {
    if (expiry != null && (afterWrite != null || afterAccess != null)) {
      throw new IllegalArgumentException("expireAfter decides alone when entries expire");
    }
    String types = keys.name() + "\n" + values.name();
    long token = Mix.hash(types.getBytes(StandardCharsets.UTF_8), generation);
    RemovalListener<? super K, ? super V> told = listener;
    var coding = new Coding<>(keys, values);
    if (told != null) {
      blocks.removalListener(new TypedListener<>(coding, told, executor), causes);
    }
    BlockCache cache = blocks.generation(token).open();
    try {
      var times = new EntryTimes<K, V>(afterWrite, afterAccess, expiry, blocks.clock());
      var former =
          new FormerKeys<K>(cache, keys instanceof ReformedCodec<K> reformed ? reformed : null);
      return new DurableCache<>(
          new ObjectEntries<>(cache, coding, former, times), loader, executor);
    } catch (Throwable t) {
      Closing.after(t, cache::close);
      throw t;
    }
  }

  private static Duration positive(Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("a time that is not positive: " + time);
    }
    return time;
  }
}
