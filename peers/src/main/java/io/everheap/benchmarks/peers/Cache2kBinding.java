package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.cache.CacheBinding;
import io.everheap.benchmarks.cache.TestedCache;
import io.everheap.benchmarks.cache.Words;
import org.cache2k.Cache;
import org.cache2k.Cache2kBuilder;
import org.jspecify.annotations.Nullable;

/** The library cache2k: arrays in the Java heap, limited by their number. */
public final class Cache2kBinding implements CacheBinding {
  /** Makes a binding. */
  public Cache2kBinding() {}

  @Override
  public TestedCache open(Room room) {
    return new Arrays(
        Cache2kBuilder.of(Long.class, Block.class)
            .entryCapacity(room.inHeap())
            .eternal(true)
            .build());
  }

  /** Values of cache2k must not be arrays. */
  private static final class Block {
    private final byte[] bytes;

    Block(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  private record Arrays(Cache<Long, Block> cache) implements TestedCache {
    @Override
    public long read(long key) {
      Block value = cache.peek(key);
      return value == null ? MISS : Words.sum(value.bytes);
    }

    @Override
    public byte @Nullable [] copy(long key) {
      Block value = cache.peek(key);
      return value == null ? null : value.bytes;
    }

    @Override
    public void put(long key, byte[] value) {
      cache.put(key, new Block(value));
    }

    @Override
    public void close() {
      cache.close();
    }
  }
}
