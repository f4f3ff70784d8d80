package io.everheap.cache;

import io.everheap.stability.Stable;

/**
 * What happened to a cache since it was opened, and where its space is now.
 *
 * @param hits lookups that found an entry
 * @param misses lookups that found none
 * @param loads values that loaders made; 0 for a cache of blocks
 * @param loadFailures loads that failed
 * @param loadNanos time that loaders took altogether
 * @param inserts entries that were put
 * @param rejects entries that did not fit and were not put
 * @param evictions entries that made room
 * @param expirations entries whose time was over
 * @param invalidations entries that the program removed
 * @param replacements entries that another one under their key replaced
 * @param recovered entries of earlier openings that are served
 * @param damaged entries lost to damage
 * @param leakedPins handles, and allocated blocks, that became garbage without being closed
 * @param entries how many there are now
 * @param capacityBytes what the cache may take on its media
 * @param usedBytes what its entries and tables take
 * @param pinnedBytes what entries take that ended while handles held them
 * @param freeBytes what is free
 * @param largestFreeBytes the largest entry that fits without an eviction
 * @param memoryBytes what the index, the pins and the order of eviction take of the process's
 *     memory
 * @since 0.9
 */
@Stable
public record CacheStats(
    long hits,
    long misses,
    long loads,
    long loadFailures,
    long loadNanos,
    long inserts,
    long rejects,
    long evictions,
    long expirations,
    long invalidations,
    long replacements,
    long recovered,
    long damaged,
    long leakedPins,
    long entries,
    long capacityBytes,
    long usedBytes,
    long pinnedBytes,
    long freeBytes,
    long largestFreeBytes,
    long memoryBytes) {
  /**
   * Returns how many lookups there were.
   *
   * @return hits and misses
   */
  public long lookups() {
    return hits + misses;
  }

  /**
   * Returns the share of lookups that found an entry.
   *
   * @return 0 to 1; 1 if there was no lookup
   */
  public double hitRate() {
    return lookups() == 0 ? 1 : (double) hits / lookups();
  }

  /**
   * Returns the share of the free space that is not in the largest free run.
   *
   * @return 0 to 1
   */
  public double fragmentation() {
    return freeBytes == 0 ? 0 : 1 - (double) largestFreeBytes / freeBytes;
  }
}
