package io.everheap.benchmarks.peers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.everheap.benchmarks.cache.BlockCacheBinding;
import io.everheap.benchmarks.cache.CacheBinding;
import io.everheap.benchmarks.cache.TestedCache;
import io.everheap.benchmarks.cache.Words;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Caffeine in front of this library's {@code BlockCache}: a block that only the latter has is
 * copied to the Java heap.
 */
public final class CaffeineOverEverheapBinding implements CacheBinding {
  /** Makes a binding. */
  public CaffeineOverEverheapBinding() {}

  @Override
  public TestedCache open(Room room) throws IOException {
    return new Tiers(
        Caffeine.newBuilder().maximumSize(room.inHeap()).build(),
        new BlockCacheBinding().open(room));
  }

  private record Tiers(Cache<Long, byte[]> heap, TestedCache blocks) implements TestedCache {
    @Override
    public byte @Nullable [] copy(long key) {
      byte[] value = heap.getIfPresent(key);
      if (value == null) {
        value = blocks.copy(key);
        if (value != null) {
          heap.put(key, value);
        }
      }
      return value;
    }

    @Override
    public long read(long key) {
      byte[] value = copy(key);
      return value == null ? MISS : Words.sum(value);
    }

    @Override
    public void put(long key, byte[] value) {
      blocks.put(key, value);
      heap.put(key, value);
    }

    @Override
    public void settle() {
      blocks.settle();
    }

    @Override
    public boolean isReady() {
      return blocks.isReady();
    }

    @Override
    public long memoryBytes() {
      return blocks.memoryBytes();
    }

    @Override
    public void close() throws IOException {
      blocks.close();
    }
  }
}
