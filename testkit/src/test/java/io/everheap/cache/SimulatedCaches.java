package io.everheap.cache;

import io.everheap.cache.format.FileLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** Caches on simulated media, without threads. */
public final class SimulatedCaches {
  private static final int SEGMENT = 64 << 10;

  private SimulatedCaches() {}

  /** Options of a cache of some segments of 64 KiB. */
  public static BlockCacheBuilder builder(Medium medium, int segments, LongSupplier clock) {
    long capacity = FileLayout.segments(FileLayout.removalBytes(0)) + (long) segments * SEGMENT;
    return MediumSetting.medium(BlockCache.builder(Path.of(medium.location()), capacity), medium)
        .segmentSize(SEGMENT)
        .background(false)
        .clock(clock)
        .seed(7);
  }

  /** A cache of texts, of some segments of 64 KiB. */
  public static DurableCache<String, String> texts(
      Medium medium, int segments, LongSupplier clock) {
    long capacity = FileLayout.segments(FileLayout.removalBytes(0)) + (long) segments * SEGMENT;
    return DurableCache.builder(Path.of(medium.location()), capacity, String.class, String.class)
        .blocks(
            blocks ->
                MediumSetting.medium(blocks, medium)
                    .segmentSize(SEGMENT)
                    .background(false)
                    .clock(clock)
                    .seed(7))
        .open();
  }

  /** The same in two directories. */
  public static BlockCacheBuilder builderOfTwo(Medium medium, int segments, LongSupplier clock) {
    long capacity = FileLayout.segments(FileLayout.removalBytes(0)) + (long) segments * SEGMENT;
    return BlockCache.builder(Path.of("one"), capacity)
        .directory(Path.of("two"), capacity)
        .media(path -> new SubdirectoryMedium(medium, path.toString()))
        .segmentSize(SEGMENT)
        .background(false)
        .clock(clock)
        .seed(7);
  }

  /** Reads one more segment's entries of earlier openings. */
  public static void recoverSome(BlockCache cache) {
    boolean _ = cache.store().scanNext();
  }

  /** The segments that hold something count to the capacity; the rest is free. */
  public static void requireExactSpace(BlockCache cache) {
    CacheStats stats = cache.stats();
    if (stats.usedBytes() > stats.capacityBytes() || stats.usedBytes() < 0) {
      throw new AssertionError("more is used than there is: " + stats);
    }
  }
}
