package io.everheap.jcache;

import io.everheap.jcache.store.CacheDirectory;
import io.everheap.jcache.store.Options;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.Configuration;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/** The caches of a URI and a class loader. Thread-safe. */
final class EverheapCacheManager implements CacheManager {
  private static final System.Logger LOG = System.getLogger(EverheapCacheManager.class.getName());

  private final EverheapCachingProvider provider;
  private final URI uri;
  private final ClassLoader loader;
  private final Properties properties;
  private final int number;
  private final Options options;
  private final Map<String, EverheapCache<?, ?>> caches = new TreeMap<>(); // guarded by itself
  private volatile boolean closed;

  EverheapCacheManager(
      EverheapCachingProvider provider, URI uri, ClassLoader loader, Properties properties) {
    this.provider = provider;
    this.uri = uri;
    this.loader = loader;
    this.properties = new Properties();
    this.properties.putAll(properties);
    boolean isDefault = uri.equals(provider.getDefaultURI());
    this.number = ManagerNumbers.take(uri);
    try {
      this.options = new Options(uri, isDefault, number, this.properties);
    } catch (RuntimeException | Error e) {
      ManagerNumbers.give(uri, number);
      throw e;
    }
  }

  Options options() {
    return options;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cache manager " + uri + " is closed");
    }
  }

  @Override
  public <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(
      String cacheName, C configuration) {
    requireOpen();
    Objects.requireNonNull(cacheName, "cacheName");
    EverheapConfiguration<K, V> own =
        EverheapConfiguration.of(Objects.requireNonNull(configuration, "configuration"));
    if (!own.isStoreByValue()) {
      throw new UnsupportedOperationException(
          "Everheap stores by value: setStoreByValue(false) is not supported");
    }
    synchronized (caches) {
      requireOpen();
      if (caches.containsKey(cacheName)) {
        throw new CacheException(
            String.format(Locale.ROOT, "there is a cache '%s' already", cacheName));
      }
      var cache = new EverheapCache<>(this, cacheName, own);
      try {
        cache.start();
      } catch (RuntimeException | Error e) {
        cache.end();
        throw e;
      }
      caches.put(cacheName, cache);
      return cache;
    }
  }

  @Override
  public <K, V> @Nullable Cache<K, V> getCache(
      String cacheName, Class<K> keyType, Class<V> valueType) {
    Objects.requireNonNull(keyType, "keyType");
    Objects.requireNonNull(valueType, "valueType");
    EverheapCache<?, ?> cache = find(cacheName);
    if (cache == null) {
      return null;
    }
    EverheapConfiguration<?, ?> its = cache.configuration();
    if (!its.getKeyType().equals(keyType) || !its.getValueType().equals(valueType)) {
      throw new ClassCastException(
          String.format(
              Locale.ROOT,
              "the cache '%s' has keys of %s and values of %s, not of %s and %s",
              cacheName,
              its.getKeyType().getName(),
              its.getValueType().getName(),
              keyType.getName(),
              valueType.getName()));
    }
    return getCache(cacheName);
  }

  @Override
  @SuppressWarnings("unchecked") // JCache leaves the check to the program here
  public <K, V> @Nullable Cache<K, V> getCache(String cacheName) {
    return (Cache<K, V>) find(cacheName);
  }

  private @Nullable EverheapCache<?, ?> find(String cacheName) {
    requireOpen();
    Objects.requireNonNull(cacheName, "cacheName");
    synchronized (caches) {
      return caches.get(cacheName);
    }
  }

  @Override
  public Iterable<String> getCacheNames() {
    requireOpen();
    synchronized (caches) {
      return Set.copyOf(caches.keySet());
    }
  }

  @Override
  public void destroyCache(String cacheName) {
    Path base = null;
    while (true) {
      EverheapCache<?, ?> cache = find(cacheName);
      if (cache != null) {
        base = cache.base();
        cache.close();
      } else if (base == null) {
        base = options.directory(cacheName);
      }
      synchronized (caches) {
        if (!caches.containsKey(cacheName)) { // else it was created again meanwhile
          if (base != null) {
            new CacheDirectory(base, cacheName).destroy();
          }
          return;
        }
      }
    }
  }

  @Override
  public void enableManagement(String cacheName, boolean enabled) {
    EverheapCache<?, ?> cache = find(cacheName);
    if (cache != null) {
      cache.enableManagement(enabled);
    }
  }

  @Override
  public void enableStatistics(String cacheName, boolean enabled) {
    EverheapCache<?, ?> cache = find(cacheName);
    if (cache != null) {
      cache.enableStatistics(enabled);
    }
  }

  /** Forgets a cache; false if it did before, so that the cache is closed once. */
  boolean release(EverheapCache<?, ?> cache) {
    synchronized (caches) {
      return caches.remove(cache.getName(), cache);
    }
  }

  @Override
  public void close() {
    List<EverheapCache<?, ?>> open;
    synchronized (caches) {
      if (closed) {
        return;
      }
      closed = true;
      open = new ArrayList<>(caches.values());
      caches.clear();
    }
    provider.release(this);
    for (EverheapCache<?, ?> each : open) {
      try {
        each.end();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "the cache " + each.getName() + " was not closed", e);
      }
    }
    ManagerNumbers.give(uri, number);
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public CachingProvider getCachingProvider() {
    return provider;
  }

  @Override
  public URI getURI() {
    return uri;
  }

  @Override
  public ClassLoader getClassLoader() {
    return loader;
  }

  @Override
  public Properties getProperties() {
    var copy = new Properties();
    copy.putAll(properties);
    return copy;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("a cache manager of Everheap is no " + type.getName());
  }

  @Override
  public String toString() {
    return "EverheapCacheManager[" + uri + "]";
  }
}
