package io.everheap.it.crash;

import java.util.SplittableRandom;

/**
 * What the n-th commit of a heap does: a function of the heap's seed and n alone, whichever thread
 * makes it. So the state after any prefix of the commit order is known from the length of the
 * prefix, and a recovered heap can be compared with it in full.
 */
final class Plan {
  /** Keys of the small values. */
  static final int ROWS = 4_096;

  /** Keys of the large values. */
  static final int BLOBS = 16;

  /** After so many commits both tables are cleared and grow again. */
  static final long ERA = 20_011;

  private static final int SMALL = 300;
  private static final int LARGE = 96 << 10;
  private static final int RUN = 48;

  private Plan() {}

  /** The two maps that commits change. */
  enum Table {
    ROWS,
    BLOBS
  }

  /** Takes the changes of commits. */
  interface Changes {
    /** The key gets the value that {@link Plan#value} makes of this commit's number. */
    void put(Table table, long key, int length);

    void remove(Table table, long key);

    void clear(Table table);
  }

  /** Makes the changes of a commit. */
  static void apply(long seed, long commit, Changes changes) {
    if (commit % ERA == 0) {
      changes.clear(Table.ROWS);
      changes.clear(Table.BLOBS);
    }
    var random = random(seed, commit, 0);
    int kind = random.nextInt(100);
    if (kind < 60) {
      changes.put(Table.ROWS, random.nextLong(ROWS), random.nextInt(SMALL));
    } else if (kind < 85) {
      several(random, changes);
    } else if (kind < 90) {
      changes.put(Table.BLOBS, random.nextLong(BLOBS), random.nextInt(SMALL, LARGE));
    } else if (kind < 93) {
      changes.remove(Table.BLOBS, random.nextLong(BLOBS));
    } else {
      long first = random.nextLong(ROWS - RUN);
      for (long key = first; key < first + RUN; key++) {
        changes.put(Table.ROWS, key, random.nextInt(SMALL));
      }
    }
  }

  private static void several(SplittableRandom random, Changes changes) {
    for (int i = random.nextInt(2, 13); i > 0; i--) {
      long key = random.nextLong(ROWS);
      if (random.nextInt(3) == 0) {
        changes.remove(Table.ROWS, key);
      } else {
        changes.put(Table.ROWS, key, random.nextInt(SMALL));
      }
    }
  }

  /** The value that a commit gives to a key. */
  static byte[] value(long seed, long commit, Table table, long key, int length) {
    byte[] value = new byte[length];
    random(seed, commit, 1 + key * 2 + (table == Table.ROWS ? 0 : 1)).nextBytes(value);
    return value;
  }

  private static SplittableRandom random(long seed, long commit, long purpose) {
    long mixed = seed * 0x9E3779B97F4A7C15L + commit * 0xD1B54A32D192ED03L;
    return new SplittableRandom(mixed ^ (purpose * 0x8CB92BA72F3D8DD7L));
  }
}
