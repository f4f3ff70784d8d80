package io.everheap.engine.log;

import io.everheap.memory.DurableWrite;

/**
 * Settings of a log.
 *
 * @param segmentSize bytes of a new segment: a power of two of 64 KiB to 1 GiB
 * @param ringSize capacity of the ring in bytes: a power of two of 64 KiB to 1 GiB
 * @param limit target size of all segments in bytes, exceeded only by large transactions, of a heap
 *     of up to twice this size
 * @param maxLimit the target size of larger heaps is half of theirs, up to this
 * @param intervalNanos interval of background syncs in nanoseconds; 0 for none
 * @param durableWrite how segments are written on media that are not byte-addressable
 * @param background whether a thread of the log creates segments ahead; if not, they are created
 *     when needed
 */
public record LogOptions(
    int segmentSize,
    int ringSize,
    long limit,
    long maxLimit,
    long intervalNanos,
    DurableWrite durableWrite,
    boolean background) {

  /** Settings of a log that does not grow with the heap. */
  public LogOptions(
      int segmentSize,
      int ringSize,
      long limit,
      long intervalNanos,
      DurableWrite durableWrite,
      boolean background) {
    this(segmentSize, ringSize, limit, limit, intervalNanos, durableWrite, background);
  }

  /** Checks the sizes. */
  public LogOptions {
    require(powerOfTwo(segmentSize, LogLayout.MIN_SIZE), "segmentSize", segmentSize);
    require(powerOfTwo(ringSize, RingLayout.MIN_CAPACITY), "ringSize", ringSize);
    require(limit >= 2L * segmentSize, "limit", limit);
    require(maxLimit >= limit, "maxLimit", maxLimit);
    require(intervalNanos >= 0, "intervalNanos", intervalNanos);
  }

  /** 16 MiB segments and ring, 128 MiB of log, no background syncs, segments created ahead. */
  public static LogOptions defaults() {
    return new LogOptions(16 << 20, 16 << 20, 128L << 20, 0, DurableWrite.FDATASYNC, true);
  }

  /** The target size of the log of a heap, in bytes. */
  public long target(long capacity) {
    return Math.clamp(capacity / 2, limit, maxLimit);
  }

  private static boolean powerOfTwo(int size, int min) {
    return size >= min && size <= LogLayout.MAX_SIZE && (size & (size - 1)) == 0;
  }

  private static void require(boolean condition, String what, long value) {
    if (!condition) {
      throw new IllegalArgumentException(what + ": " + value);
    }
  }
}
