package io.everheap.engine.alloc;

import io.everheap.engine.home.HomeLayout;

/**
 * The geometry of chunks and the layout of the chunk table.
 *
 * <p>Chunk 0 of every extent is metadata. Its chunk table has one 16-byte entry per chunk of the
 * extent; entry 0 is that of the metadata chunk itself:
 *
 * <pre>
 * extent + 65536 + 16 * chunk:
 *   word 0   63    48 47     32 31     16 15    9    8     7     0
 *           +--------+---------+---------+-------+--------+-------+
 *           |   0    | chunks  | retired |   0   |  FULL  | kind  |
 *           +--------+---------+---------+-------+--------+-------+
 *   word 1   63                              24 23              0
 *           +----------------------------------+----------------+
 *           |                0                 |     floor      |
 *           +----------------------------------+----------------+
 * </pre>
 *
 * <ul>
 *   <li>{@code kind}: see {@link ChunkKind}; 0 is free, as in space that was never used.
 *   <li>{@code FULL}: no slot or page is left. Exact in every committed state.
 *   <li>{@code retired}: blocks in the chunk that have used up their generations.
 *   <li>{@code chunks}: in the head of a large block its number of chunks, in its other chunks the
 *       distance to the head.
 *   <li>{@code floor}: no block that starts in this chunk from now on has a smaller generation.
 *       Entry 0 of extent 0 keeps the floor of all chunks.
 * </ul>
 */
final class ChunkLayout {
  static final int CHUNK_SHIFT = HomeLayout.CHUNK_SHIFT;

  /** Bytes of a chunk. */
  static final int CHUNK_BYTES = HomeLayout.CHUNK_SIZE;

  static final int CHUNK_MASK = CHUNK_BYTES - 1;

  /** Bytes of an entry of the chunk table. */
  static final int ENTRY_BYTES = 16;

  /** The address of the generation floor of all chunks. */
  static final long HOME_FLOOR = HomeLayout.CHUNK_TABLE_OFFSET + 8;

  static final long FULL = 1 << 8;

  private static final int RETIRED_SHIFT = 16;
  private static final int CHUNKS_SHIFT = 32;

  private ChunkLayout() {}

  /** Whether a home image can have this capacity. */
  static boolean isCapacity(long bytes) {
    return bytes > 0 && (bytes & CHUNK_MASK) == 0 && bytes <= HomeLayout.MAX_CAPACITY;
  }

  static int chunkOf(long address) {
    return (int) (address >>> CHUNK_SHIFT);
  }

  static long address(int chunk) {
    return (long) chunk << CHUNK_SHIFT;
  }

  static int chunksPerExtent(int extentShift) {
    return 1 << (extentShift - CHUNK_SHIFT);
  }

  /** The address of a chunk's entry in the table of its extent. */
  static long entry(int chunk, int extentShift) {
    int shift = extentShift - CHUNK_SHIFT;
    long extent = (long) (chunk >>> shift) << extentShift;
    return extent
        + HomeLayout.CHUNK_TABLE_OFFSET
        + (long) (chunk & ((1 << shift) - 1)) * ENTRY_BYTES;
  }

  static int kind(long word) {
    return (int) word & 0xff;
  }

  static boolean isFull(long word) {
    return (word & FULL) != 0;
  }

  static int retired(long word) {
    return (int) (word >>> RETIRED_SHIFT) & 0xffff;
  }

  static long oneMoreRetired(long word) {
    return word + (1L << RETIRED_SHIFT);
  }

  static int chunks(long word) {
    return (int) (word >>> CHUNKS_SHIFT) & 0xffff;
  }

  /** Word 0 of a chunk of a large block. */
  static long large(int kind, int chunks) {
    return ((long) chunks << CHUNKS_SHIFT) | kind;
  }

  static int floor(long word) {
    return (int) word & Reference.MAX_GENERATION;
  }
}
