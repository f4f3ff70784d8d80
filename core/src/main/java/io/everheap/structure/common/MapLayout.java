package io.everheap.structure.common;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;

/**
 * The layout of a map's table: a header, a directory of segments, and segments of buckets. Offsets
 * are bytes from the address of a block, which starts with its 8-byte block header.
 *
 * <pre>
 * header                      directory                   segment
 *  0  block header             0  block header             0  block header
 *  8  count of entries         8  segment reference 0      8  bucket 0: link to its first node
 * 16  number of buckets       16  segment reference 1     16  bucket 1
 * 24  directory reference         ...                         ...
 * 32  kinds
 * 40  key type id
 * 48  value type id
 * 56  hash seed
 * </pre>
 *
 * <p>Kinds: bit 0 set when keys are words, bit 1 set when values are words, bits 8 to 15 the
 * version of the hash function. Every segment has {@value #SEGMENT_BUCKETS} buckets, only the first
 * one starts smaller and doubles. The header fills one cache line.
 *
 * <p>The table grows by linear hashing (Litwin, VLDB 1980; Larson, CACM 1988): with {@code 2^L <= n
 * < 2^(L+1)} buckets a hash belongs to the bucket of its low {@code L + 1} bits, or of its low
 * {@code L} bits while that bucket does not exist yet.
 */
public final class MapLayout {
  public static final int COUNT = 8;
  public static final int BUCKETS = 16;
  public static final int DIRECTORY = 24;
  public static final int KINDS = 32;
  public static final int KEY_TYPE = 40;
  public static final int VALUE_TYPE = 48;
  public static final int SEED = 56;

  /** Payload bytes of the header. */
  public static final int HEADER_BYTES = 56;

  /** Buckets of an empty map. */
  public static final int INITIAL_BUCKETS = 8;

  public static final int SEGMENT_SHIFT = 9;
  public static final int SEGMENT_BUCKETS = 1 << SEGMENT_SHIFT;

  /** The most buckets that a table may claim to have. */
  public static final long MAX_BUCKETS = 1L << 39;

  public static final long WORD_KEYS = 1;
  public static final long WORD_VALUES = 2;

  /** Stripes that one map uses; the low bits of a hash choose among them. */
  public static final int STRIPES = 64;

  private static final int STRIPE_MASK = STRIPES - 1;
  private static final int HASH_VERSION_SHIFT = 8;

  private MapLayout() {}

  public static long kinds(boolean wordKeys, boolean wordValues) {
    return (wordKeys ? WORD_KEYS : 0)
        | (wordValues ? WORD_VALUES : 0)
        | (long) MapHash.VERSION << HASH_VERSION_SHIFT;
  }

  /** The bucket of a hash in a table of {@code buckets} buckets. */
  public static long bucket(long hash, long buckets) {
    long half = Long.highestOneBit(buckets);
    long bucket = hash & (half + half - 1);
    return bucket < buckets ? bucket : bucket & (half - 1);
  }

  /** Where a directory keeps the reference of the segment that holds a bucket. */
  public static long segmentSlot(long directory, long bucket) {
    return Reference.payload(directory) + (bucket >>> SEGMENT_SHIFT << 3);
  }

  /** Where a segment keeps a bucket. */
  public static long bucketSlot(long segment, long bucket) {
    return Reference.payload(segment) + ((bucket & (SEGMENT_BUCKETS - 1)) << 3);
  }

  /** The number of segments that hold {@code buckets} buckets. */
  public static long segments(long buckets) {
    return (buckets + SEGMENT_BUCKETS - 1) >>> SEGMENT_SHIFT;
  }

  /** The number of buckets that the segment with the given index has room for. */
  public static int segmentCapacity(long index, long buckets) {
    if (index > 0 || buckets >= SEGMENT_BUCKETS) {
      return SEGMENT_BUCKETS;
    }
    int n = (int) buckets;
    return n <= INITIAL_BUCKETS ? INITIAL_BUCKETS : Integer.highestOneBit(n - 1) << 1;
  }

  /** The first of the stripes of the map whose header has this address. */
  public static int stripeBase(long header) {
    long mixed = (header >>> 4) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 40) % (Stripes.COUNT / STRIPES) * STRIPES;
  }

  /** The stripe that guards what a hash leads to. */
  public static int stripe(int base, long hash) {
    return base + ((int) hash & STRIPE_MASK);
  }
}
