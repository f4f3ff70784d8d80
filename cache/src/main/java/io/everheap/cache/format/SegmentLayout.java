package io.everheap.cache.format;

/**
 * Where things are in a segment, from its start:
 *
 * <pre>
 *   0        64
 *   +--------+-----------------------+------+-------+-------+------
 *   | header | table: chunks of slots | free | block | block | ...
 *   +--------+-----------------------+------+-------+-------+------
 * </pre>
 *
 * <p>The header is one word: the number of chunks in the table and a checksum of it; zero in a
 * segment that was never used. In an encrypted cache, a digest of the table's entries at the last
 * close stands at byte 16 of the header. A block holds a value and the key behind it, and begins at
 * a multiple of {@link #GRANULE}. What neither the table nor a slot claims is free.
 */
public final class SegmentLayout {
  /** Space is given out in multiples of these bytes. */
  public static final int GRANULE = 64;

  /** Slots in a chunk of the table. */
  public static final int CHUNK_SLOTS = 64;

  /** Bytes of a chunk. */
  public static final int CHUNK = CHUNK_SLOTS * SlotLayout.SIZE;

  /** Granules of a chunk. */
  public static final int CHUNK_GRANULES = CHUNK / GRANULE;

  /** Where the digest of an encrypted cache's segment is in its header. */
  public static final int DIGEST = 16;

  /** Granules before the table. */
  public static final int HEADER_GRANULES = 1;

  private SegmentLayout() {}

  /** The first granule behind a table of so many chunks. */
  public static int tableEnd(int chunks) {
    return HEADER_GRANULES + chunks * CHUNK_GRANULES;
  }

  /** The granules that a number of bytes takes. */
  public static int granules(long bytes) {
    return Math.toIntExact((bytes + GRANULE - 1) / GRANULE);
  }

  /** The largest block of a segment. */
  public static long maxBlock(long segmentSize) {
    return segmentSize - (long) tableEnd(1) * GRANULE;
  }

  /** The header's word for a number of chunks. */
  public static long header(int chunks, long salt) {
    return (long) check(chunks, salt) << 32 | chunks;
  }

  /** The number of chunks that a header's word tells; -1 if it is damaged. */
  public static int chunks(long header, long salt, long segmentSize) {
    int chunks = (int) header;
    boolean sound =
        chunks > 0
            && (int) (header >>> 32) == check(chunks, salt)
            && (long) tableEnd(chunks) * GRANULE <= segmentSize;
    return sound ? chunks : -1;
  }

  private static int check(int chunks, long salt) {
    return (int) (Mix.mix(salt + chunks) >>> 32);
  }
}
