package io.everheap.benchmarks.cache;

import java.io.IOException;
import java.nio.file.Path;

/** Opens a cache of one library. Has a public constructor without parameters. */
@FunctionalInterface
public interface CacheBinding {
  /**
   * How large a cache is.
   *
   * @param directory for its files; exists
   * @param entries how many it holds in all; a cache of the Java heap alone holds fewer
   * @param inHeap how many the Java heap holds
   * @param valueBytes the size of a value
   */
  record Room(Path directory, long entries, long inHeap, int valueBytes) {
    /** The bytes of all values, with a share for what a library keeps beside each. */
    public long bytes(double share) {
      return Math.round(entries * (valueBytes + 128.0) * share);
    }
  }

  /**
   * Opens the cache, or makes it.
   *
   * @param room its size
   * @return the cache
   * @throws IOException if that fails
   */
  TestedCache open(Room room) throws IOException;
}
