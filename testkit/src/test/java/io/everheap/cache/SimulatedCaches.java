package io.everheap.cache;

import io.everheap.cache.format.FileLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.SubdirectoryMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Caches on simulated media, without threads. */
public final class SimulatedCaches {
  private static final int SEGMENT = 64 << 10;

  private SimulatedCaches() {}

  /** Options of a cache of some segments of 64 KiB. */
  public static BlockCacheBuilder builder(Medium medium, int segments, LongSupplier clock) {
    Path path = Path.of(medium.location());
    return small(MediumSetting.medium(BlockCache.builder(path, capacity(segments)), medium), clock);
  }

  /** A cache of texts, of some segments of 64 KiB. */
  public static DurableCache<String, String> texts(
      Medium medium, int segments, LongSupplier clock) {
    return textsBuilder(path -> medium, segments, clock).open();
  }

  /** Options of a cache of texts. */
  public static DurableCacheBuilder<String, String> textsBuilder(
      Function<Path, Medium> media, int segments, LongSupplier clock) {
    return DurableCache.builder(Path.of("cache"), capacity(segments), String.class, String.class)
        .blocks(blocks -> small(blocks.media(media), clock));
  }

  /** Has threads recover entries and sync. */
  public static void withThreads(BlockCacheBuilder builder, Duration interval) {
    BlockCacheBuilder _ = builder.background(true).syncEvery(interval);
  }

  /** Options of one in two directories. */
  public static BlockCacheBuilder builderOfTwo(Medium medium, int segments, LongSupplier clock) {
    return small(
        BlockCache.builder(Path.of("one"), capacity(segments))
            .directory(Path.of("two"), capacity(segments))
            .media(path -> new SubdirectoryMedium(medium, path.toString())),
        clock);
  }

  private static long capacity(int segments) {
    return FileLayout.segments(FileLayout.removalBytes(0)) + (long) segments * SEGMENT;
  }

  private static BlockCacheBuilder small(BlockCacheBuilder builder, LongSupplier clock) {
    return builder.segmentSize(SEGMENT).background(false).clock(clock).seed(7);
  }

  /** Takes one more step to find the entries of earlier openings. */
  public static void recoverSome(BlockCache cache) {
    boolean _ = cache.store().scanNext();
  }

  /** Lets an entry expire when it does. */
  public static void storeExpiryAgain(BlockCache cache, byte[] key) {
    try (BlockHandle handle = cache.peek(key)) {
      if (handle != null) {
        cache.store().expiry(handle.slot(), cache.store().expiry(handle.slot()));
      }
    }
  }

  /** The segments that hold something count to the capacity; the rest is free. */
  public static void requireExactSpace(BlockCache cache) {
    CacheStats stats = cache.stats();
    if (stats.usedBytes() > stats.capacityBytes() || stats.usedBytes() < 0) {
      throw new AssertionError("more is used than there is: " + stats);
    }
  }
}
