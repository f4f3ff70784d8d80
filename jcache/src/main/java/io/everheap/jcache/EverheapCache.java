package io.everheap.jcache;

import io.everheap.cache.DurableCache;
import io.everheap.cache.TimedEntries;
import io.everheap.jcache.event.Listeners;
import io.everheap.jcache.statistics.ManagementBean;
import io.everheap.jcache.statistics.Settings;
import io.everheap.jcache.statistics.Statistics;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/** A cache of JCache on a durable one. Thread-safe. */
final class EverheapCache<K, V> implements Cache<K, V> {
  private static final System.Logger LOG = System.getLogger(EverheapCache.class.getName());

  private final EverheapCacheManager manager;
  private final String name;
  private final EverheapConfiguration<K, V> configuration;
  private final Path base;
  private final DurableCache<K, V> durable;
  private final Core<K, V> core;
  private final Expiry<K, V> expiry;
  private final Listeners<K, V> listeners;
  private final BulkOperations<K, V> bulk;
  private final EntryProcessing<K, V> processing;
  private final ManagementBean statisticsBean;
  private final ManagementBean settingsBean;
  private volatile boolean managed;

  EverheapCache(
      EverheapCacheManager manager, String name, EverheapConfiguration<K, V> configuration) {
    this.manager = manager;
    this.name = name;
    this.configuration = configuration;
    var opening = new Opening<>(manager, name, configuration);
    this.base = opening.base();
    this.listeners = opening.listeners(this);
    this.expiry = new Expiry<>(configuration.getExpiryPolicyFactory().create());
    var sources = new Sources<>(configuration);
    this.durable = opening.open(expiry, listeners);
    var statistics = new Statistics(() -> durable.stats().evictions());
    this.core =
        new Core<>(
            name,
            configuration,
            opening.keys(),
            new Entries<>(durable, expiry, listeners),
            sources,
            statistics);
    this.bulk = new BulkOperations<>(core, durable);
    this.processing = new EntryProcessing<>(core);
    this.statisticsBean = new ManagementBean("CacheStatistics", manager.getURI(), name, statistics);
    this.settingsBean =
        new ManagementBean(
            "CacheConfiguration", manager.getURI(), name, new Settings(this::current));
  }

  /** Does what may fail when the cache is open. */
  void start() {
    enableStatistics(configuration.isStatisticsEnabled());
    enableManagement(configuration.isManagementEnabled());
  }

  /** The directory of the cache's own one. */
  Path base() {
    return base;
  }

  /** As it was created. */
  EverheapConfiguration<K, V> configuration() {
    return configuration;
  }

  Statistics statistics() {
    return core.statistics();
  }

  private EverheapConfiguration<K, V> current() {
    return configuration.with(core.statistics().isEnabled(), managed, listeners.configurations());
  }

  void enableStatistics(boolean enabled) {
    core.requireOpen();
    core.statistics().enable(enabled);
    statisticsBean.enable(enabled);
  }

  void enableManagement(boolean enabled) {
    core.requireOpen();
    managed = enabled;
    settingsBean.enable(enabled);
  }

  // --- lookups ---

  @Override
  public @Nullable V get(K key) {
    core.requireOpen();
    return core.get(core.key(key));
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    core.requireOpen();
    keys.forEach(core::key);
    Map<K, V> found = new HashMap<>();
    for (K key : keys) {
      V value = core.get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  @Override
  public boolean containsKey(K key) {
    core.requireOpen();
    return core.entries().contains(core.key(key));
  }

  @Override
  public Iterator<Entry<K, V>> iterator() {
    core.requireOpen();
    return new CacheIterator<>(core, durable);
  }

  // --- changes of one entry ---

  @Override
  public void put(K key, V value) {
    core.requireOpen();
    long start = core.statistics().start();
    core.key(key);
    core.value(value);
    core.locked(
        key,
        lock -> {
          TimedEntries.Entry<V> old = core.entries().find(key);
          core.sources().write(key, value);
          if (core.entries().put(key, value, old)) {
            core.statistics().put(start);
          }
          return null;
        });
  }

  @Override
  public @Nullable V getAndPut(K key, V value) {
    core.requireOpen();
    long start = core.statistics().start();
    core.key(key);
    core.value(value);
    return core.locked(
        key,
        lock -> {
          TimedEntries.Entry<V> old = core.entries().find(key);
          core.sources().write(key, value);
          core.statistics().got(old != null, start);
          if (core.entries().put(key, value, old)) {
            core.statistics().put(start);
          }
          return old == null ? null : old.value();
        });
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    core.requireOpen();
    bulk.putAll(map);
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    core.requireOpen();
    long start = core.statistics().start();
    core.key(key);
    core.value(value);
    return core.locked(
        key,
        lock -> {
          boolean found = core.entries().findSurely(key) != null;
          core.statistics().got(found, start);
          if (found) {
            return false;
          }
          core.sources().write(key, value);
          boolean made = core.entries().create(key, value);
          if (made) {
            core.statistics().put(start);
          }
          return made;
        });
  }

  @Override
  public boolean replace(K key, V value) {
    return getAndReplace(key, value) != null;
  }

  @Override
  public @Nullable V getAndReplace(K key, V value) {
    core.requireOpen();
    long start = core.statistics().start();
    core.key(key);
    core.value(value);
    return core.locked(
        key,
        lock -> {
          TimedEntries.Entry<V> old = core.entries().findSurely(key);
          core.statistics().got(old != null, start);
          if (old == null) {
            return null;
          }
          core.sources().write(key, value);
          core.entries().update(key, value, old);
          core.statistics().put(start);
          return old.value();
        });
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    core.requireOpen();
    long start = core.statistics().start();
    core.key(key);
    core.value(oldValue);
    core.value(newValue);
    return core.locked(
        key,
        lock -> {
          TimedEntries.Entry<V> old = core.entries().findSurely(key);
          core.statistics().got(old != null, start);
          if (!isOld(key, old, oldValue)) {
            return false;
          }
          core.sources().write(key, newValue);
          core.entries().update(key, newValue, Objects.requireNonNull(old));
          core.statistics().put(start);
          return true;
        });
  }

  /** Compares an entry with what it should be; one that is another was used by that. */
  private boolean isOld(K key, TimedEntries.@Nullable Entry<V> found, V expected) {
    if (found == null) {
      return false;
    }
    boolean equal = Objects.deepEquals(found.value(), expected);
    if (!equal) {
      core.entries().use(key);
    }
    return equal;
  }

  @Override
  public boolean remove(K key) {
    return remove(key, false) != null;
  }

  @Override
  public @Nullable V getAndRemove(K key) {
    return remove(key, true);
  }

  private @Nullable V remove(K key, boolean gets) {
    core.requireOpen();
    long start = core.statistics().start();
    core.key(key);
    return core.locked(
        key,
        lock -> {
          TimedEntries.Entry<V> old = core.entries().find(key);
          core.sources().delete(key); // also if there is no entry
          if (gets) {
            core.statistics().got(old != null, start);
          }
          core.entries().remove(key, old);
          if (old == null) {
            return null;
          }
          core.statistics().removed(1, start);
          return old.value();
        });
  }

  @Override
  public boolean remove(K key, V oldValue) {
    core.requireOpen();
    long start = core.statistics().start();
    core.key(key);
    core.value(oldValue);
    return core.locked(
        key,
        lock -> {
          TimedEntries.Entry<V> old = core.entries().findSurely(key);
          core.statistics().got(old != null, start);
          if (!isOld(key, old, oldValue)) {
            return false;
          }
          core.sources().delete(key);
          core.entries().remove(key, Objects.requireNonNull(old));
          core.statistics().removed(1, start);
          return true;
        });
  }

  // --- changes of several entries ---

  @Override
  public void removeAll(Set<? extends K> keys) {
    core.requireOpen();
    bulk.removeAll(keys);
  }

  @Override
  public void removeAll() {
    core.requireOpen();
    bulk.removeAll();
  }

  @Override
  public void clear() {
    core.requireOpen();
    durable.invalidateAll();
  }

  @Override
  public void loadAll(
      Set<? extends K> keys,
      boolean replaceExistingValues,
      @Nullable CompletionListener completionListener) {
    core.requireOpen();
    bulk.loadAll(keys, replaceExistingValues, completionListener);
  }

  // --- entry processors ---

  @Override
  public <T> @Nullable T invoke(
      K key, EntryProcessor<K, V, T> entryProcessor, Object... arguments) {
    core.requireOpen();
    Objects.requireNonNull(entryProcessor, "entryProcessor");
    return processing.invoke(core.key(key), entryProcessor, arguments);
  }

  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> entryProcessor, Object... arguments) {
    core.requireOpen();
    Objects.requireNonNull(entryProcessor, "entryProcessor");
    keys.forEach(core::key);
    return processing.invokeAll(keys, entryProcessor, arguments);
  }

  // --- listeners ---

  @Override
  public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
    core.requireOpen();
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
    core.requireOpen();
    listeners.remove(Objects.requireNonNull(listener, "listener"));
  }

  // --- what it is, and its end ---

  @Override
  public String getName() {
    return name;
  }

  @Override
  public CacheManager getCacheManager() {
    return manager;
  }

  @Override
  public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
    EverheapConfiguration<K, V> now = current();
    if (type.isInstance(now)) {
      return type.cast(now);
    }
    Configuration<K, V> mutable = now.mutable(); // a copy, so that changes of it change nothing
    if (type.isInstance(mutable)) {
      return type.cast(mutable);
    }
    throw new IllegalArgumentException("a cache of Everheap has no " + type.getName());
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    for (Object each : new Object[] {this, durable, durable.blocks()}) {
      if (type.isInstance(each)) {
        return type.cast(each);
      }
    }
    throw new IllegalArgumentException("a cache of Everheap is no " + type.getName());
  }

  @Override
  public boolean isClosed() {
    return core.isClosed();
  }

  @Override
  public void close() {
    if (manager.release(this)) {
      end();
    }
  }

  /** Closes the cache; called once, when the manager does not have it any more. */
  void end() {
    core.close();
    try (durable) { // whatever else fails
      statisticsBean.enable(false);
      settingsBean.enable(false);
      close(core.sources().loader());
      close(core.sources().writer());
      close(expiry.policy());
      listeners.end().forEach(this::close);
    }
  }

  private void close(@Nullable Object part) {
    if (part instanceof Closeable closeable) {
      try {
        closeable.close();
      } catch (IOException | RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "a part of the cache " + name + " was not closed", e);
      }
    }
  }

  @Override
  public String toString() {
    return "EverheapCache[" + name + "]";
  }
}
