package io.everheap.jcache;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import javax.cache.Cache;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/** The loader and the writer of a cache, if it has them, with their failures as JCache has them. */
final class Sources<K, V> {
  private final @Nullable CacheLoader<K, V> loader;
  private final @Nullable CacheWriter<? super K, ? super V> writer;
  private final boolean readThrough;
  private final boolean writeThrough;

  Sources(CompleteConfiguration<K, V> configuration) {
    var loaders = configuration.getCacheLoaderFactory();
    var writers = configuration.getCacheWriterFactory();
    this.loader = loaders == null ? null : loaders.create();
    this.writer = writers == null ? null : writers.create();
    this.readThrough = configuration.isReadThrough() && loader != null;
    this.writeThrough = configuration.isWriteThrough() && writer != null;
  }

  @Nullable CacheLoader<K, V> loader() {
    return loader;
  }

  @Nullable CacheWriter<? super K, ? super V> writer() {
    return writer;
  }

  boolean hasLoader() {
    return loader != null;
  }

  boolean readsThrough() {
    return readThrough;
  }

  boolean writesThrough() {
    return writeThrough;
  }

  /** Loads a value; null if there is none. */
  @Nullable V load(K key) {
    try {
      return Objects.requireNonNull(loader).load(key);
    } catch (CacheLoaderException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheLoaderException("the loader of a cache failed", e);
    }
  }

  /** Loads values; keys without one are absent, or have null. */
  Map<K, V> loadAll(Iterable<? extends K> keys) {
    try {
      return Objects.requireNonNull(
          Objects.requireNonNull(loader).loadAll(keys), "a loader returned null for a map");
    } catch (CacheLoaderException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheLoaderException("the loader of a cache failed", e);
    }
  }

  /** Writes an entry, if entries are written. */
  void write(K key, V value) {
    if (writeThrough) {
      attempt(() -> Objects.requireNonNull(writer).write(new SimpleEntry<>(key, value)));
    }
  }

  /** Deletes an entry, if entries are written. */
  void delete(K key) {
    if (writeThrough) {
      attempt(() -> Objects.requireNonNull(writer).delete(key));
    }
  }

  /**
   * Writes entries. Those that remain in the collection were not written.
   *
   * @return what failed; null if nothing did
   */
  @SuppressWarnings("unchecked") // a writer of supertypes accepts the entries
  @Nullable CacheWriterException writeAll(
      Collection<Cache.Entry<? extends K, ? extends V>> entries) {
    return failureOf(() -> ((CacheWriter<K, V>) Objects.requireNonNull(writer)).writeAll(entries));
  }

  /**
   * Deletes entries. Those that remain in the collection were not deleted.
   *
   * @return what failed; null if nothing did
   */
  @Nullable CacheWriterException deleteAll(Collection<K> keys) {
    return failureOf(() -> Objects.requireNonNull(writer).deleteAll(keys));
  }

  private static @Nullable CacheWriterException failureOf(Runnable write) {
    try {
      attempt(write);
      return null;
    } catch (CacheWriterException e) {
      return e;
    }
  }

  private static void attempt(Runnable write) {
    try {
      write.run();
    } catch (CacheWriterException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheWriterException("the writer of a cache failed", e);
    }
  }
}
