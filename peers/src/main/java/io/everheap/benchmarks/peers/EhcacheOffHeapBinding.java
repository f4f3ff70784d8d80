package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.cache.CacheBinding;
import io.everheap.benchmarks.cache.TestedCache;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.MemoryUnit;

/** Ehcache with its off-heap tier alone: values are copied out. */
public final class EhcacheOffHeapBinding implements CacheBinding {
  private static final double SHARE = 1.5;

  /** Makes a binding. */
  public EhcacheOffHeapBinding() {}

  @Override
  public TestedCache open(Room room) {
    return Ehcache.open(
        CacheManagerBuilder.newCacheManagerBuilder(),
        ResourcePoolsBuilder.newResourcePoolsBuilder()
            .offheap((room.bytes(SHARE) >> 20) + Ehcache.LEAST_MEGABYTES, MemoryUnit.MB));
  }
}
