package io.everheap.engine.log;

import io.everheap.memory.DurableWrite;

/**
 * How a log is to run.
 *
 * @param segmentSize bytes of a new segment: a power of two of 64 KiB to 1 GiB
 * @param ringSize capacity of the ring in bytes: a power of two of 64 KiB to 1 GiB
 * @param limit bytes that the segments should take together; exceeded only by large transactions
 * @param intervalNanos how often everything appended is made durable by a thread of the log; 0:
 *     only when a thread waits for it or asks
 * @param durableWrite how segments are written on media that are not byte-addressable
 * @param background whether segments are made ahead by a thread of the log; else only when needed
 */
public record LogOptions(
    int segmentSize,
    int ringSize,
    long limit,
    long intervalNanos,
    DurableWrite durableWrite,
    boolean background) {

  /** Checks the sizes. */
  public LogOptions {
    require(powerOfTwo(segmentSize, LogLayout.MIN_SIZE), "segmentSize", segmentSize);
    require(powerOfTwo(ringSize, RingLayout.MIN_CAPACITY), "ringSize", ringSize);
    require(limit >= 2L * segmentSize, "limit", limit);
    require(intervalNanos >= 0, "intervalNanos", intervalNanos);
  }

  /** 16 MiB segments and ring, 128 MiB of log, no interval, segments made ahead. */
  public static LogOptions defaults() {
    return new LogOptions(16 << 20, 16 << 20, 128L << 20, 0, DurableWrite.FDATASYNC, true);
  }

  private static boolean powerOfTwo(int size, int least) {
    return size >= least && size <= LogLayout.MAX_SIZE && (size & (size - 1)) == 0;
  }

  private static void require(boolean condition, String what, long value) {
    if (!condition) {
      throw new IllegalArgumentException(what + ": " + value);
    }
  }
}
