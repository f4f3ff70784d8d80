package io.everheap.cache.format;

/**
 * Where things are in the file of a cache, in bytes:
 *
 * <pre>
 *   0            4096         8192
 *   +------------+------------+------------------+-----------+-----------+----
 *   | superblock | superblock |  map of removals | segment 0 | segment 1 | ...
 *   +------------+------------+------------------+-----------+-----------+----
 * </pre>
 */
public final class FileLayout {
  /** The name of the file in its directory. */
  public static final String NAME = "cache";

  /** The name while the file is being made. */
  public static final String NEW = "cache.new";

  /** Sizes and positions of the parts are multiples of this. */
  public static final int BLOCK = 4096;

  /** Where the map of removals starts. */
  public static final long REMOVALS = 2L * Superblock.SIZE;

  /** The smallest segment. */
  public static final int MIN_SEGMENT = 64 << 10;

  /** The largest segment. */
  public static final int MAX_SEGMENT = 1 << 30;

  private static final int MIN_REMOVALS = BLOCK;
  private static final int MAX_REMOVALS = 64 << 20;
  private static final int REMOVALS_SHARE = 1024;

  private FileLayout() {}

  /** Where the segments start, behind a map of removals of so many bytes. */
  public static long segments(long removalBytes) {
    return REMOVALS + removalBytes;
  }

  /** How many whole segments a file holds. */
  public static int segmentCount(long fileSize, long removalBytes, long segmentSize) {
    return (int) Math.min(Integer.MAX_VALUE, (fileSize - segments(removalBytes)) / segmentSize);
  }

  /** How many bytes the map of removals takes in a file of a size. */
  public static long removalBytes(long fileSize) {
    long wanted = fileSize / REMOVALS_SHARE / BLOCK * BLOCK;
    return Math.clamp(wanted, MIN_REMOVALS, MAX_REMOVALS);
  }

  /** Whether a file can have such a size, such segments, and such a map of removals. */
  static boolean isPossible(long fileSize, long segmentSize, long removalBytes) {
    return isBetween(segmentSize, MIN_SEGMENT, MAX_SEGMENT)
        && isBetween(removalBytes, MIN_REMOVALS, MAX_REMOVALS)
        && fileSize >= segments(removalBytes) + segmentSize;
  }

  private static boolean isBetween(long size, long least, long most) {
    return size >= least && size <= most && size % BLOCK == 0;
  }

  /** The segment size for a capacity: the file holds at least 32 segments, of at most 16 MiB. */
  public static int segmentSize(long capacity) {
    long wanted = Long.highestOneBit(Math.max(1, capacity / 32));
    return Math.clamp(wanted, MIN_SEGMENT, 16 << 20);
  }
}
