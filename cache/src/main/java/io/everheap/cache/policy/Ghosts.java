package io.everheap.cache.policy;

/**
 * The hashes of the entries that were evicted last, as fingerprints in buckets: what S3-FIFO calls
 * its ghost queue. An entry of the table is a fingerprint of 32 bits and the number of the
 * eviction; it counts as long as not more evictions followed than there are entries in the cache.
 * Guarded by the cache's lock.
 */
final class Ghosts {
  private static final int WAYS = 4;
  private static final int LEAST = 256;

  private long[] table = new long[LEAST];
  private int evictions;

  /** Bytes of memory that the table takes. */
  long bytes() {
    return (long) table.length * Long.BYTES;
  }

  /** Remembers an evicted entry; {@code remembered} is how many should be. */
  void add(long hash, int remembered) {
    if (remembered > table.length) {
      grow(remembered);
    }
    evictions++;
    put(table, (int) hash, evictions);
  }

  /** Whether an entry was evicted recently; forgets it. */
  boolean remove(long hash, int remembered) {
    int fingerprint = (int) hash;
    int bucket = bucket(table, fingerprint);
    for (int i = bucket; i < bucket + WAYS; i++) {
      if (table[i] != 0 && (int) (table[i] >>> 32) == fingerprint) {
        boolean recent = evictions - (int) table[i] < remembered;
        table[i] = 0;
        return recent;
      }
    }
    return false;
  }

  private void grow(int remembered) {
    long[] old = table;
    table = new long[Math.max(LEAST, Integer.highestOneBit(Math.max(1, remembered - 1)) << 1)];
    for (long entry : old) {
      if (entry != 0) {
        put(table, (int) (entry >>> 32), (int) entry);
      }
    }
  }

  /** In the place of the oldest of the bucket. */
  private void put(long[] target, int fingerprint, int number) {
    int bucket = bucket(target, fingerprint);
    int oldest = bucket;
    for (int i = bucket; i < bucket + WAYS; i++) {
      if (target[i] == 0 || (int) (target[i] >>> 32) == fingerprint) {
        oldest = i;
        break;
      }
      if (evictions - (int) target[i] > evictions - (int) target[oldest]) {
        oldest = i;
      }
    }
    target[oldest] = (long) fingerprint << 32 | (number & 0xFFFF_FFFFL);
  }

  private static int bucket(long[] target, int fingerprint) {
    return ((fingerprint * 0x9E37_79B9) >>> 1) % (target.length / WAYS) * WAYS;
  }
}
