package io.everheap.engine.home;

/**
 * The layout of the fixed parts of the home image; addresses are in bytes.
 *
 * <pre>
 * extent 0, chunk 0
 *        0  +----------------------------+
 *           | superblock slot A          |  4 KiB, written by checkpoints only
 *     4096  +----------------------------+
 *           | superblock slot B          |  4 KiB, in a sector of its own
 *     8192  +----------------------------+
 *           | catalog: 512 words         |  ordinary logged words
 *    12288  +----------------------------+
 *           | reserved                   |
 *    65536  +----------------------------+
 *           | chunk table of this extent |  16 bytes per chunk; every extent has one here
 *   131072  +----------------------------+
 *           | reserved                   |
 *   262144  +----------------------------+  first chunk for blocks
 * </pre>
 */
public final class HomeLayout {
  /** Size, as a power of two, of a chunk: the unit of space for size classes and large blocks. */
  public static final int CHUNK_SHIFT = 18;

  /** Bytes of a chunk. */
  public static final int CHUNK_SIZE = 1 << CHUNK_SHIFT;

  /** Size, as a power of two, of a page: the unit of dirty tracking and checkpoint writes. */
  public static final int PAGE_SHIFT = 12;

  /** Bytes of a page. */
  public static final int PAGE_SIZE = 1 << PAGE_SHIFT;

  /** Address of the first superblock slot. */
  public static final long SUPERBLOCK_A = 0;

  /** Address of the second superblock slot. */
  public static final long SUPERBLOCK_B = 4096;

  /** Address of the catalog. */
  public static final long CATALOG_ADDRESS = 8192;

  /** Words in the catalog. */
  public static final int CATALOG_WORDS = 512;

  /** Address of the catalog word with the capacity: the usable size of the home image in bytes. */
  public static final long CAPACITY_ADDRESS = CATALOG_ADDRESS;

  /**
   * Address of the catalog words that tell a replica how far it is; see {@link
   * io.everheap.engine.ReplicaPosition}.
   */
  public static final long REPLICA_ADDRESS = CATALOG_ADDRESS + 8;

  /** Offset of the chunk table in each extent. */
  public static final long CHUNK_TABLE_OFFSET = 65536;

  /** Capacity of a new heap: the metadata chunk and three for blocks. */
  public static final long INITIAL_CAPACITY = 4L * CHUNK_SIZE;

  /** Smallest and largest extent, as powers of two. */
  public static final int MIN_EXTENT_SHIFT = 20;

  public static final int MAX_EXTENT_SHIFT = 30;

  /** Maximum capacity, which is the limit of addresses in references and log entries. */
  public static final long MAX_CAPACITY = 1L << 44;

  private static final int FIRST_FREE_CATALOG_WORD = 16;

  /** Number of catalog words that the layers above may use; see {@link #catalogWord}. */
  public static final int FREE_CATALOG_WORDS = CATALOG_WORDS - FIRST_FREE_CATALOG_WORD;

  private HomeLayout() {}

  /**
   * Address of a catalog word that the layers above may use.
   *
   * @param index 0 to 495
   */
  public static long catalogWord(int index) {
    if (index < 0 || index >= FREE_CATALOG_WORDS) {
      throw new IndexOutOfBoundsException("catalog word " + index);
    }
    return CATALOG_ADDRESS + 8L * (FIRST_FREE_CATALOG_WORD + index);
  }
}
