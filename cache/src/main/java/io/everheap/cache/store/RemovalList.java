package io.everheap.cache.store;

import io.everheap.cache.format.FileLayout;
import io.everheap.memory.Region;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was removed while not all entries of earlier openings were known: pairs of a hash and a
 * sequence, which say that an entry with that hash and a smaller sequence is not served. A pair is
 * true for ever, and harmless for another key with the same hash, so a crash cannot make the list
 * wrong. Since the list ends at the first pair that is missing, a page of it is durable before the
 * next one is begun, and a pair is forced with what stands before it on its page. Guarded by the
 * cache's lock.
 *
 * <pre>
 *   0      8          16
 *   +------+----------+------+----
 *   | hash | sequence | hash | ...      the list ends at the first sequence that is 0
 *   +------+----------+------+----
 * </pre>
 */
final class RemovalList {
  /** Bytes of a pair. */
  static final int PAIR = 16;

  private final CacheFile file; // that new pairs go to
  private final long capacity;
  private final Map<Long, Long> removed = new HashMap<>();
  private long end;

  /** Reads the lists of all files. */
  RemovalList(List<CacheFile> files) {
    this.file = files.getFirst();
    this.capacity = file.identity().removalBytes() / PAIR;
    for (CacheFile each : files) {
      // A killed process may have left pairs that can be read and are not durable.
      each.forceDirectly(FileLayout.REMOVALS, each.identity().removalBytes());
      long count = read(each.region(), each.identity().removalBytes() / PAIR);
      end = each.equals(file) ? count : end;
    }
  }

  private long read(Region region, long most) {
    long count = 0;
    for (; count < most; count++) {
      long at = FileLayout.REMOVALS + count * PAIR;
      long sequence = region.getLong(at + Long.BYTES);
      if (sequence == 0) {
        break;
      }
      removed.merge(region.getLong(at), sequence, Math::max);
    }
    return count;
  }

  /** The start of what is forced with a pair: the pairs before it on its page are found first. */
  static long page(long pair) {
    return pair / FileLayout.BLOCK * FileLayout.BLOCK;
  }

  /** Whether so many more pairs fit. */
  boolean hasRoom(int pairs) {
    return end + pairs <= capacity;
  }

  /** Whether an entry was removed. */
  boolean covers(long hash, long sequence) {
    return removed.getOrDefault(hash, 0L) > sequence;
  }

  /**
   * Says that entries with a hash and a sequence up to this one are removed.
   *
   * @return where the pair was stored in the first file
   */
  long add(long hash, long sequence) {
    if (!hasRoom(1)) {
      throw new IllegalStateException("the list of removals is full");
    }
    long at = FileLayout.REMOVALS + end * PAIR;
    if (page(at) == at && end > 0) {
      // What stands on a page can be found only if all pages before it are durable.
      file.force(at - FileLayout.BLOCK, FileLayout.BLOCK);
    }
    Region region = file.region();
    region.putLong(at, hash);
    region.putLongRelease(at + Long.BYTES, sequence + 1);
    file.forceDirectly(at, PAIR);
    removed.merge(hash, sequence + 1, Math::max);
    end++;
    return at;
  }

  /** Empties the lists, when all that they name is gone for good. */
  static void clear(List<CacheFile> files) {
    for (CacheFile file : files) {
      if (file.region().getLong(FileLayout.REMOVALS + Long.BYTES) == 0) {
        continue; // what stands behind the end is no part of the list
      }
      file.region().fill(FileLayout.REMOVALS, file.identity().removalBytes(), (byte) 0);
      file.forceDirectly(FileLayout.REMOVALS, file.identity().removalBytes());
    }
  }
}
