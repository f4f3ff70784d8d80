package io.everheap.benchmarks.cache;

import io.everheap.cache.BlockCache;
import io.everheap.cache.BlockHandle;
import io.everheap.cache.BlockInsert;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** This library's {@link BlockCache}: blocks in a file, read in place. */
public final class BlockCacheBinding implements CacheBinding {
  private static final double SHARE = 1.1;
  private static final long FIXED = 64L << 20;

  /** Makes a binding. */
  public BlockCacheBinding() {}

  @Override
  public TestedCache open(Room room) {
    return new Blocks(BlockCache.open(room.directory(), capacity(room)));
  }

  /** What holds all entries. */
  static long capacity(Room room) {
    return room.bytes(SHARE) + FIXED;
  }

  private record Blocks(BlockCache cache) implements TestedCache {
    @Override
    public long read(long key) {
      try (BlockHandle block = cache.get(Words.key(key))) {
        return block == null ? MISS : Words.sum(block.segment());
      }
    }

    @Override
    public byte @Nullable [] copy(long key) {
      try (BlockHandle block = cache.get(Words.key(key))) {
        return block == null ? null : block.toArray();
      }
    }

    @Override
    public void put(long key, byte[] value) {
      try (BlockInsert insert = cache.allocate(Words.key(key), value.length)) {
        if (insert != null) { // as it fills a miss, it need not be kept
          insert.segment().copyFrom(MemorySegment.ofArray(value));
          insert.insert();
        }
      }
    }

    @Override
    public void settle() {
      cache.sync();
    }

    @Override
    public boolean isReady() {
      return cache.isIndexed();
    }

    @Override
    public long memoryBytes() {
      return cache.stats().memoryBytes();
    }

    @Override
    public void close() {
      cache.close();
    }
  }
}
