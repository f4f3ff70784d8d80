package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.cache.TestedCache;
import org.ehcache.Cache;
import org.ehcache.CacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.jspecify.annotations.Nullable;

/** A cache of Ehcache, with any tiers. */
record Ehcache(CacheManager manager, Cache<Long, byte[]> cache) implements TestedCache {
  /** What a tier needs in addition, however few entries it has. */
  static final long LEAST_MEGABYTES = 32;

  private static final String NAME = "blocks";

  static Ehcache open(
      CacheManagerBuilder<? extends CacheManager> managers, ResourcePoolsBuilder tiers) {
    CacheManager manager =
        managers
            .withCache(
                NAME,
                CacheConfigurationBuilder.newCacheConfigurationBuilder(
                    Long.class, byte[].class, tiers))
            .build(true);
    return new Ehcache(manager, manager.getCache(NAME, Long.class, byte[].class));
  }

  @Override
  public byte @Nullable [] copy(long key) {
    return cache.get(key);
  }

  @Override
  public void put(long key, byte[] value) {
    cache.put(key, value);
  }

  @Override
  public void close() {
    manager.close();
  }
}
