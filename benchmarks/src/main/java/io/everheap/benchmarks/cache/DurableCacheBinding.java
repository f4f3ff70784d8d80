package io.everheap.benchmarks.cache;

import io.everheap.cache.DurableCache;
import org.jspecify.annotations.Nullable;

/** This library's {@link DurableCache}: objects, decoded by a codec. */
public final class DurableCacheBinding implements CacheBinding {
  /** Makes a binding. */
  public DurableCacheBinding() {}

  @Override
  public TestedCache open(Room room) {
    return new Objects(
        DurableCache.builder(
                room.directory(), BlockCacheBinding.capacity(room), Long.class, byte[].class)
            .open());
  }

  private record Objects(DurableCache<Long, byte[]> cache) implements TestedCache {
    @Override
    public byte @Nullable [] copy(long key) {
      return cache.getIfPresent(key);
    }

    @Override
    public void put(long key, byte[] value) {
      cache.put(key, value);
    }

    @Override
    public void close() {
      cache.close();
    }
  }
}
