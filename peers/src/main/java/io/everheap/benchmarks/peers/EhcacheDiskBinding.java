package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.cache.CacheBinding;
import io.everheap.benchmarks.cache.TestedCache;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.EntryUnit;
import org.ehcache.config.units.MemoryUnit;

/** Ehcache with a heap tier in front of its persistent disk tier. */
public final class EhcacheDiskBinding implements CacheBinding {
  private static final double SHARE = 1.5;

  /** Makes a binding. */
  public EhcacheDiskBinding() {}

  @Override
  public TestedCache open(Room room) {
    return Ehcache.open(
        CacheManagerBuilder.newCacheManagerBuilder()
            .with(CacheManagerBuilder.persistence(room.directory().toFile())),
        ResourcePoolsBuilder.newResourcePoolsBuilder()
            .heap(room.inHeap(), EntryUnit.ENTRIES)
            .disk((room.bytes(SHARE) >> 20) + Ehcache.LEAST_MEGABYTES, MemoryUnit.MB, true));
  }
}
