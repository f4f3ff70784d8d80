package io.everheap.cache.policy;

/**
 * The hashes of the entries that were evicted last, as fingerprints in buckets: what S3-FIFO calls
 * its ghost queue. A word of the table is a fingerprint of 16 bits, never 0, and when the eviction
 * was, in steps of some evictions; it counts as long as not more evictions followed than there are
 * entries in the cache. Guarded by the cache's lock.
 */
final class Ghosts {
  private static final int WAYS = 4;
  private static final int LEAST = 256;
  private static final int BITS = 16;
  private static final int MASK = (1 << BITS) - 1;

  /** Steps while a table's worth of evictions happens: few of those that a step counter has. */
  private static final int STEPS = 1024;

  private int[] table = new int[LEAST];
  private long evictions;

  /** Bytes of memory that the table takes. */
  long bytes() {
    return (long) table.length * Integer.BYTES;
  }

  /** Remembers an evicted entry; {@code remembered} is how many should be. */
  void add(long hash, int remembered) {
    if (remembered > table.length) {
      grow(remembered);
    }
    evictions++;
    int fingerprint = fingerprint(hash);
    int bucket = bucket(hash);
    int oldest = bucket;
    for (int i = bucket; i < bucket + WAYS; i++) {
      if (table[i] == 0 || table[i] >>> BITS == fingerprint) {
        oldest = i;
        break;
      }
      if (age(table[i]) > age(table[oldest])) {
        oldest = i;
      }
    }
    table[oldest] = fingerprint << BITS | now();
  }

  /** Whether an entry was evicted recently; forgets it. */
  boolean remove(long hash, int remembered) {
    int fingerprint = fingerprint(hash);
    int bucket = bucket(hash);
    for (int i = bucket; i < bucket + WAYS; i++) {
      if (table[i] >>> BITS == fingerprint) {
        boolean recent = (long) age(table[i]) * step() < remembered;
        table[i] = 0;
        return recent;
      }
    }
    return false;
  }

  /** By an eighth too much, since what is remembered gets lost: few bits of each hash are known. */
  private void grow(int remembered) {
    int wanted = (int) Math.min(Integer.MAX_VALUE - 2L * WAYS, remembered + (long) remembered / 8);
    table = new int[(wanted + WAYS - 1) / WAYS * WAYS];
  }

  private int step() {
    return Math.max(1, table.length / STEPS);
  }

  private int now() {
    return (int) (evictions / step()) & MASK;
  }

  private int age(int word) {
    return now() - word & MASK;
  }

  private static int fingerprint(long hash) {
    return Math.max(1, (int) (hash >>> (Long.SIZE - BITS)));
  }

  private int bucket(long hash) {
    return (((int) hash * 0x9E37_79B9) >>> 1) % (table.length / WAYS) * WAYS;
  }
}
