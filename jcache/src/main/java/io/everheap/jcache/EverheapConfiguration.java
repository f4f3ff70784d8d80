package io.everheap.jcache;

import io.everheap.cache.BlockCacheBuilder;
import io.everheap.cache.EvictionPolicy;
import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/**
 * What a cache has beyond JCache's own settings: where it is, how much it takes, and how keys and
 * values are stored. What is not set here is that of the manager, see {@link
 * EverheapCachingProvider}.
 *
 * <pre>{@code
 * Cache<String, Person> people =
 *     manager.createCache(
 *         "people",
 *         EverheapConfiguration.of(
 *                 new MutableConfiguration<String, Person>().setTypes(String.class, Person.class))
 *             .withCapacity(1L << 30));
 * }</pre>
 *
 * Immutable; each method that begins with {@code with} returns another one. Codecs and {@link
 * #withBlocks} are not serialized.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 * @since 0.9
 */
@Stable
public final class EverheapConfiguration<K, V> implements CompleteConfiguration<K, V> {
  private static final long serialVersionUID = 1L;

  private final MutableConfiguration<K, V> standard; // never changed, never handed out
  private final @Nullable String directory;
  private final @Nullable Long capacity;
  private final @Nullable EvictionPolicy policy;
  private final @Nullable Boolean strict;
  private final transient @Nullable Codec<K> keys;
  private final transient @Nullable Codec<V> values;
  private final transient @Nullable Consumer<BlockCacheBuilder> blocks;

  private EverheapConfiguration(
      MutableConfiguration<K, V> standard,
      @Nullable String directory,
      @Nullable Long capacity,
      @Nullable EvictionPolicy policy,
      @Nullable Boolean strict,
      @Nullable Codec<K> keys,
      @Nullable Codec<V> values,
      @Nullable Consumer<BlockCacheBuilder> blocks) {
    this.standard = standard;
    this.directory = directory;
    this.capacity = capacity;
    this.policy = policy;
    this.strict = strict;
    this.keys = keys;
    this.values = values;
    this.blocks = blocks;
  }

  /**
   * Returns the settings of a configuration, with nothing set beyond.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param configuration copied; may be one of these
   * @return the settings
   */
  public static <K, V> EverheapConfiguration<K, V> of(Configuration<K, V> configuration) {
    if (configuration instanceof EverheapConfiguration<K, V> own) {
      return own;
    }
    MutableConfiguration<K, V> copy;
    if (configuration instanceof CompleteConfiguration<K, V> complete) {
      copy = new MutableConfiguration<>(complete);
    } else {
      copy =
          new MutableConfiguration<K, V>()
              .setTypes(configuration.getKeyType(), configuration.getValueType())
              .setStoreByValue(configuration.isStoreByValue());
    }
    return new EverheapConfiguration<>(copy, null, null, null, null, null, null, null);
  }

  /**
   * Sets the directory in which the cache has its own one, named after it.
   *
   * @param path made if it is missing
   * @return another configuration
   */
  public EverheapConfiguration<K, V> withDirectory(Path path) {
    return new EverheapConfiguration<>(
        standard, path.toString(), capacity, policy, strict, keys, values, blocks);
  }

  /**
   * Sets how much the cache takes on its medium, with everything that belongs to it. When it is
   * full, entries make room. An entry is smaller than a 32nd of that, and than 16 MiB.
   *
   * @param bytes the most bytes; 64 MiB if nothing else is said
   * @return another configuration
   */
  public EverheapConfiguration<K, V> withCapacity(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("capacity: " + bytes);
    }
    return new EverheapConfiguration<>(
        standard, directory, bytes, policy, strict, keys, values, blocks);
  }

  /**
   * Sets which entry makes room.
   *
   * @param which the policy
   * @return another configuration
   */
  public EverheapConfiguration<K, V> withPolicy(EvictionPolicy which) {
    Objects.requireNonNull(which, "policy");
    return new EverheapConfiguration<>(
        standard, directory, capacity, which, strict, keys, values, blocks);
  }

  /**
   * Sets whether removals and replacements are durable when they return, even if the power is lost;
   * see {@link BlockCacheBuilder#strict}.
   *
   * @param isStrict whether they are
   * @return another configuration
   */
  public EverheapConfiguration<K, V> withStrict(boolean isStrict) {
    return new EverheapConfiguration<>(
        standard, directory, capacity, policy, isStrict, keys, values, blocks);
  }

  /**
   * Sets how keys are stored. Two keys are the same exactly if their bytes are.
   *
   * @param codec of keys; canonical
   * @return another configuration
   */
  public EverheapConfiguration<K, V> withKeys(Codec<K> codec) {
    Objects.requireNonNull(codec, "codec");
    return new EverheapConfiguration<>(
        standard, directory, capacity, policy, strict, codec, values, blocks);
  }

  /**
   * Sets how values are stored.
   *
   * @param codec of values
   * @return another configuration
   */
  public EverheapConfiguration<K, V> withValues(Codec<V> codec) {
    Objects.requireNonNull(codec, "codec");
    return new EverheapConfiguration<>(
        standard, directory, capacity, policy, strict, keys, codec, blocks);
  }

  /**
   * Sets further options of the cache of blocks below: how often it is synced, the size of
   * segments, persistent memory. Encrypt with the setting {@code everheap.key} instead: these
   * options are lost with the returned configuration, and when it is serialized.
   *
   * @param options sets options when the cache is opened, after all others
   * @return another configuration
   */
  public EverheapConfiguration<K, V> withBlocks(Consumer<BlockCacheBuilder> options) {
    Objects.requireNonNull(options, "options");
    return new EverheapConfiguration<>(
        standard, directory, capacity, policy, strict, keys, values, options);
  }

  /** The same with what a cache changes while it runs. */
  EverheapConfiguration<K, V> with(
      boolean statistics,
      boolean management,
      List<CacheEntryListenerConfiguration<K, V>> listeners) {
    var copy = new MutableConfiguration<>(standard);
    copy.setStatisticsEnabled(statistics).setManagementEnabled(management);
    for (CacheEntryListenerConfiguration<K, V> each :
        standard.getCacheEntryListenerConfigurations()) {
      copy.removeCacheEntryListenerConfiguration(each);
    }
    listeners.forEach(copy::addCacheEntryListenerConfiguration);
    return new EverheapConfiguration<>(
        copy, directory, capacity, policy, strict, keys, values, blocks);
  }

  /** The same as one of JCache's own class, for programs that ask for that. */
  MutableConfiguration<K, V> mutable() {
    return new MutableConfiguration<>(standard);
  }

  @Nullable Path directory() {
    return directory == null ? null : Path.of(directory);
  }

  @Nullable Long capacity() {
    return capacity;
  }

  @Nullable EvictionPolicy policy() {
    return policy;
  }

  @Nullable Boolean strict() {
    return strict;
  }

  @Nullable Codec<K> keys() {
    return keys;
  }

  @Nullable Codec<V> values() {
    return values;
  }

  @Nullable Consumer<BlockCacheBuilder> blocks() {
    return blocks;
  }

  @Override
  public Class<K> getKeyType() {
    return standard.getKeyType();
  }

  @Override
  public Class<V> getValueType() {
    return standard.getValueType();
  }

  @Override
  public boolean isStoreByValue() {
    return standard.isStoreByValue();
  }

  @Override
  public boolean isReadThrough() {
    return standard.isReadThrough();
  }

  @Override
  public boolean isWriteThrough() {
    return standard.isWriteThrough();
  }

  @Override
  public boolean isStatisticsEnabled() {
    return standard.isStatisticsEnabled();
  }

  @Override
  public boolean isManagementEnabled() {
    return standard.isManagementEnabled();
  }

  @Override
  public Iterable<CacheEntryListenerConfiguration<K, V>> getCacheEntryListenerConfigurations() {
    return new MutableConfiguration<>(standard).getCacheEntryListenerConfigurations();
  }

  @Override
  public @Nullable Factory<CacheLoader<K, V>> getCacheLoaderFactory() {
    return standard.getCacheLoaderFactory();
  }

  @Override
  public @Nullable Factory<CacheWriter<? super K, ? super V>> getCacheWriterFactory() {
    return standard.getCacheWriterFactory();
  }

  @Override
  public Factory<ExpiryPolicy> getExpiryPolicyFactory() {
    return standard.getExpiryPolicyFactory();
  }
}
