package io.everheap.spring;

import io.everheap.cache.CacheNames;
import io.everheap.cache.DurableCache;
import io.everheap.cache.EvictionPolicy;
import io.everheap.cache.codec.CacheCodecs;
import io.everheap.encryption.KeyProvider;
import io.everheap.stability.Stable;
import java.io.ObjectInputFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.util.ClassUtils;

/**
 * A cache manager of Spring whose caches are in files that outlive the process: after a {@code kill
 * -9} they serve what they held before. Each cache has a directory of its own, named after it, and
 * is opened when it is asked for first.
 *
 * <p>Keys and values are stored as {@link CacheCodecs} says: scalars by their codecs, others by
 * Java's serialization, so they have to be records or {@link java.io.Serializable}, and their
 * classes allowed: see {@link EverheapCacheOptions#setSerialFilter}. Equal lists, sets and maps are
 * the same key, whatever their classes; keys that are equal to what no bytes can tell are refused.
 * A value that is found is a copy.
 *
 * <p>A cache can be open in one manager of one process at a time. Thread-safe; the builder is not.
 *
 * @since 0.9
 */
@Stable
public final class EverheapCacheManager
    implements CacheManager, BeanClassLoaderAware, DisposableBean, AutoCloseable {
  /** Keys that Spring makes of several arguments, and the value that stands for null. */
  private static final String OF_SPRING =
      "org.springframework.cache.interceptor.SimpleKey;org.springframework.cache.support.NullValue";

  private final Path directory;
  private final List<String> packages;
  private final EverheapCacheOptions defaults;
  private final Map<String, EverheapCacheOptions> options;
  private final boolean fixed;
  private final boolean allowsNull;
  private final Map<String, EverheapCache> caches = new ConcurrentHashMap<>(); // changed under it
  private final ExecutorService loads =
      Executors.newThreadPerTaskExecutor(
          // the caller's own code, which ends soon
          Thread.ofVirtual().inheritInheritableThreadLocals(true).factory());
  private volatile @Nullable ClassLoader loader;
  private boolean closed; // guarded by caches

  private EverheapCacheManager(Builder builder) {
    this.directory = builder.directory;
    this.packages = List.copyOf(builder.packages);
    this.defaults = builder.defaults;
    this.options = Map.copyOf(builder.options);
    this.fixed = builder.fixed;
    this.allowsNull = builder.allowsNull;
    this.loader = builder.loader;
  }

  /**
   * Prepares a manager.
   *
   * @param directory holds the directories of the caches; made if it is missing
   * @return what sets the options
   */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /** How to make a manager. Not thread-safe. */
  public static final class Builder {
    private final Path directory;
    private EverheapCacheOptions defaults = new EverheapCacheOptions();
    private final Map<String, EverheapCacheOptions> options = new HashMap<>();
    private List<String> packages = List.of();
    private boolean fixed;
    private boolean allowsNull = true;
    private @Nullable ClassLoader loader;

    private Builder(Path directory) {
      this.directory = Objects.requireNonNull(directory, "directory");
    }

    /**
     * Sets what caches have that have no options of their own.
     *
     * @param all the options
     * @return this
     */
    public Builder defaults(EverheapCacheOptions all) {
      defaults = all.or(new EverheapCacheOptions());
      return this;
    }

    /**
     * Sets options of one cache.
     *
     * @param name of the cache
     * @param sets changes the options that the cache has so far, none at first
     * @return this
     */
    public Builder cache(String name, Consumer<EverheapCacheOptions> sets) {
      sets.accept(options.computeIfAbsent(name, its -> new EverheapCacheOptions()));
      return this;
    }

    /**
     * Sets options of one cache.
     *
     * @param name of the cache
     * @param its the options
     * @return this
     */
    public Builder cache(String name, EverheapCacheOptions its) {
      options.put(name, its.or(new EverheapCacheOptions()));
      return this;
    }

    /**
     * Allows no caches but those that were named here; by default a cache is made when it is asked
     * for.
     *
     * @return this
     */
    public Builder fixed() {
      fixed = true;
      return this;
    }

    /**
     * Sets whether {@code null} is a value that is cached.
     *
     * @param allowed {@code true} by default
     * @return this
     */
    public Builder allowNullValues(boolean allowed) {
      allowsNull = allowed;
      return this;
    }

    /**
     * Allows keys and values of the classes of packages and of those below, after what the options
     * of a cache allow and reject; see {@link EverheapCacheOptions#setSerialFilter}.
     *
     * @param names of the packages of the program
     * @return this
     */
    public Builder packages(List<String> names) {
      packages = List.copyOf(names);
      return this;
    }

    /**
     * Sets what finds the classes of stored values.
     *
     * @param classes the loader; that of the application context by default
     * @return this
     */
    public Builder classLoader(ClassLoader classes) {
      loader = Objects.requireNonNull(classes, "loader");
      return this;
    }

    /**
     * Makes the manager, which opens nothing yet.
     *
     * @return the manager
     */
    public EverheapCacheManager build() {
      return new EverheapCacheManager(this);
    }
  }

  @Override
  public void setBeanClassLoader(ClassLoader classLoader) {
    if (loader == null) {
      loader = classLoader;
    }
  }

  /**
   * Returns a cache, and opens it if it is not open.
   *
   * @param name of the cache
   * @return the cache; {@code null} if the caches are fixed and it is none of them
   * @throws io.everheap.error.LockedException if another process or manager has it open
   * @throws IllegalStateException if the manager is closed
   */
  @Override
  public @Nullable Cache getCache(String name) {
    EverheapCache cache = caches.get(name);
    if (cache != null) {
      return cache;
    }
    if (fixed && !options.containsKey(name)) {
      return null;
    }
    synchronized (caches) {
      if (closed) {
        throw new IllegalStateException("the cache manager is closed");
      }
      return caches.computeIfAbsent(name, this::open);
    }
  }

  private EverheapCache open(String name) {
    EverheapCacheOptions its = options.getOrDefault(name, new EverheapCacheOptions()).or(defaults);
    ClassLoader classes = loader;
    if (classes == null) {
      classes = ClassUtils.getDefaultClassLoader();
    }
    Objects.requireNonNull(classes, "class loader");
    ObjectInputFilter filter = filter(its.getSerialFilter());
    var builder =
        DurableCache.builder(
                CacheNames.directory(directory, name),
                Objects.requireNonNullElse(its.getCapacity(), EverheapCacheOptions.DEFAULT_CAPACITY)
                    .toBytes(),
                CacheCodecs.keys(Object.class, classes, filter),
                CacheCodecs.values(Object.class, classes, filter))
            .executor(loads)
            .blocks(
                blocks -> {
                  blocks.policy(
                      Objects.requireNonNullElse(its.getPolicy(), EvictionPolicy.S3_FIFO));
                  if (Boolean.TRUE.equals(its.getStrict())) {
                    blocks.strict();
                  }
                  String key = its.getKey();
                  if (key != null) {
                    blocks.encrypt(KeyProvider.from(key));
                  }
                });
    Duration live = its.getTimeToLive();
    if (live != null) {
      builder.expireAfterWrite(live);
    }
    Duration idle = its.getTimeToIdle();
    if (idle != null) {
      builder.expireAfterAccess(idle);
    }
    return new EverheapCache(name, builder.open(), allowsNull);
  }

  /** The first pattern that matches a class decides. */
  private ObjectInputFilter filter(@Nullable String patterns) {
    List<String> all = new ArrayList<>(List.of(OF_SPRING));
    if (patterns != null && !patterns.isBlank()) {
      all.add(patterns.strip());
    }
    packages.forEach(name -> all.add(name + ".**"));
    return ObjectInputFilter.Config.createFilter(String.join(";", all));
  }

  /**
   * Returns the names of the caches that are open or have options.
   *
   * @return the names, sorted
   */
  @Override
  public Collection<String> getCacheNames() {
    Set<String> names = new TreeSet<>(options.keySet());
    names.addAll(caches.keySet());
    return names;
  }

  /**
   * Returns the open caches that refuse changes; for health checks.
   *
   * @return by name, why: {@link io.everheap.cache.BlockCache#writeRefusal}; empty if all is well
   */
  public Map<String, RuntimeException> writeRefusals() {
    Map<String, RuntimeException> refusals = new TreeMap<>();
    caches.forEach(
        (name, cache) -> {
          RuntimeException why = cache.getNativeCache().blocks().writeRefusal();
          if (why != null) {
            refusals.put(name, why);
          }
        });
    return refusals;
  }

  /** Makes everything durable and closes all caches, also if one of them fails. Idempotent. */
  @Override
  public void close() {
    RuntimeException failure = null;
    synchronized (caches) {
      closed = true;
      for (EverheapCache cache : caches.values()) {
        try {
          cache.getNativeCache().close();
        } catch (RuntimeException e) {
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
    }
    loads.shutdown();
    if (failure != null) {
      throw failure;
    }
  }

  /** Closes the manager with its application context. */
  @Override
  public void destroy() {
    close();
  }
}
