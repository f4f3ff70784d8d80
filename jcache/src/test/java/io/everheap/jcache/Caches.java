package io.everheap.jcache;

import io.everheap.cache.CacheClock;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.MutableConfiguration;

/** Caches of a directory, with a clock that stands still until a test moves it. */
final class Caches implements AutoCloseable {
  final AtomicLong now = new AtomicLong(1_000_000);
  private final Path directory;
  private EverheapCachingProvider provider = new EverheapCachingProvider();

  Caches(Path directory) {
    this.directory = directory;
  }

  CacheManager manager() {
    return provider.getCacheManager(null, null, properties(directory));
  }

  static Properties properties(Path directory) {
    var properties = new Properties();
    properties.setProperty("everheap.directory", directory.toString());
    properties.setProperty("everheap.capacity", "2m");
    return properties;
  }

  static MutableConfiguration<String, Integer> numbers() {
    return new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
  }

  <K, V> Cache<K, V> create(String name, MutableConfiguration<K, V> configuration) {
    return create(name, EverheapConfiguration.of(configuration));
  }

  <K, V> Cache<K, V> create(String name, EverheapConfiguration<K, V> configuration) {
    return manager()
        .createCache(name, configuration.withBlocks(blocks -> CacheClock.set(blocks, now::get)));
  }

  /** The configuration that a cache has now. */
  @SuppressWarnings("unchecked") // a class has no type arguments
  static <K, V> CompleteConfiguration<K, V> configuration(Cache<K, V> cache) {
    return cache.getConfiguration(CompleteConfiguration.class);
  }

  /** Closes everything; what is opened next is as in another process. */
  void restart() {
    provider.close();
    provider = new EverheapCachingProvider();
  }

  @Override
  public void close() {
    provider.close();
  }
}
