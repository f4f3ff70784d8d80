package io.everheap.benchmarks.peers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.everheap.benchmarks.cache.CacheBinding;
import io.everheap.benchmarks.cache.TestedCache;
import io.everheap.benchmarks.cache.Words;
import org.jspecify.annotations.Nullable;

/** Caffeine: arrays in the Java heap, limited by their number. */
public final class CaffeineBinding implements CacheBinding {
  /** Makes a binding. */
  public CaffeineBinding() {}

  @Override
  public TestedCache open(Room room) {
    return new Arrays(Caffeine.newBuilder().maximumSize(room.inHeap()).build());
  }

  private record Arrays(Cache<Long, byte[]> cache) implements TestedCache {
    @Override
    public long read(long key) {
      byte[] value = cache.getIfPresent(key);
      return value == null ? MISS : Words.sum(value);
    }

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
      cache.invalidateAll();
    }
  }
}
