package io.everheap.cache.store;

import io.everheap.cache.format.FileLayout;
import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * What was put or removed while not all entries of earlier openings were known: a bit for each
 * class of hashes, which says that no entry of an earlier opening in that class is served. A bit
 * that is set too often, or stays for too long, makes misses and nothing worse, so a crash cannot
 * make the map wrong; and it is never full. Guarded by the cache's lock.
 *
 * <p>The bits of this opening are kept in memory as well: of those on the medium some may be from
 * earlier openings, and do not cover what was put since.
 */
final class RemovalMap {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
  private static final int PART = 1 << 18; // bytes that are emptied at once

  private final CacheFile file; // that new bits go to
  private final List<CacheFile> files;
  private final long leftFor;
  private final MemorySegment own;

  /**
   * Over the maps of all files.
   *
   * @param leftFor the bits on the medium are for entries up to this sequence; 0 if for none
   */
  RemovalMap(List<CacheFile> files, long leftFor) {
    this.files = files;
    this.file = files.getFirst();
    this.leftFor = leftFor;
    this.own = Arena.ofAuto().allocate(file.identity().removalBytes(), Long.BYTES);
    if (leftFor > 0) {
      // A killed process may have left bits that can be read and are not durable.
      files.forEach(each -> each.forceDirectly(FileLayout.REMOVALS, bytes(each)));
    }
  }

  private static long bytes(CacheFile file) {
    return file.identity().removalBytes();
  }

  /** The bit of a hash in a file's map. */
  private static long bit(long hash, CacheFile file) {
    return Math.unsignedMultiplyHigh(hash, bytes(file) * Byte.SIZE);
  }

  /** Where the word of a bit is in a map. */
  private static long word(long bit) {
    return bit / Long.SIZE * Long.BYTES;
  }

  /** Whether an entry of an earlier opening is not to be served. */
  boolean covers(long hash, long sequence) {
    long its = bit(hash, file);
    return (own.get(WORD, word(its)) & 1L << its) != 0
        || (sequence <= leftFor && files.stream().anyMatch(each -> isSet(hash, each)));
  }

  private static boolean isSet(long hash, CacheFile file) {
    long its = bit(hash, file);
    return (file.region().getLong(FileLayout.REMOVALS + word(its)) & 1L << its) != 0;
  }

  /**
   * Says that entries of earlier openings with a hash are not served.
   *
   * @return where in the first file that is stored, in 8 bytes
   */
  long add(long hash) {
    long its = bit(hash, file);
    long at = FileLayout.REMOVALS + word(its);
    long known = own.get(WORD, word(its));
    if ((known & 1L << its) == 0) {
      Region region = file.region();
      region.putLongRelease(at, region.getLong(at) | 1L << its);
      file.forceDirectly(at, Long.BYTES);
      own.set(WORD, word(its), known | 1L << its);
    }
    return at;
  }

  /** How many steps it takes to empty the maps, when all that they name is gone for good. */
  static int steps(List<CacheFile> files) {
    return files.stream().mapToInt(each -> (int) ((bytes(each) + PART - 1) / PART)).sum();
  }

  /** Takes one of these steps. */
  static void empty(List<CacheFile> files, int step) {
    int left = step;
    for (CacheFile each : files) {
      int its = (int) ((bytes(each) + PART - 1) / PART);
      if (left < its) {
        empty(each, (long) left * PART, Math.min(bytes(each), (left + 1L) * PART));
        return;
      }
      left -= its;
    }
  }

  /** Most blocks hold nothing, and are not stored. */
  private static void empty(CacheFile file, long from, long to) {
    Region region = file.region();
    for (long at = from; at < to; at += FileLayout.BLOCK) {
      MemorySegment block = region.segment().asSlice(FileLayout.REMOVALS + at, FileLayout.BLOCK);
      boolean isEmpty = true;
      for (long i = 0; i < FileLayout.BLOCK && isEmpty; i += Long.BYTES) {
        isEmpty = block.get(WORD, i) == 0;
      }
      if (!isEmpty) {
        region.fill(FileLayout.REMOVALS + at, FileLayout.BLOCK, (byte) 0);
        file.forceDirectly(FileLayout.REMOVALS + at, FileLayout.BLOCK);
      }
    }
  }
}
