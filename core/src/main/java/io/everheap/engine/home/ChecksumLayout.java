package io.everheap.engine.home;

import io.everheap.log.LogSeed;
import java.util.UUID;

/**
 * The layout of the file of page checksums: one word per page of the home image, at eight times the
 * page's number, so that the entries of a chunk are one sector.
 *
 * <pre>
 *   63                    32 31                     0
 *  +------------------------+------------------------+
 *  |  seal                  |  CRC32C of the page    |      0: no checkpoint has written the page,
 *  +------------------------+------------------------+         it is all zeros
 * </pre>
 *
 * In place of the entries of pages 0 and 1, which are the superblocks, is the <em>reach</em>: an
 * LSN and its seal. The home file contains no change at or behind that LSN. The superblock has such
 * an LSN as well, but it is at the start of the home file, and in a copy that was made while the
 * heap was open it may be older than the pages.
 *
 * <p>The seal depends on the heap, the page and the CRC, so that a damaged, misplaced or foreign
 * entry can be distinguished from the entry of a damaged page. It is odd, so that no entry is 0.
 */
public final class ChecksumLayout {
  /** Name of the file. */
  public static final String NAME = "heap.crc";

  /** Bytes of an entry. */
  public static final int ENTRY_BYTES = 8;

  /**
   * The first page with an entry; before it are the superblocks, which have their own checksums.
   */
  public static final long FIRST_PAGE = HomeLayout.CATALOG_ADDRESS >>> HomeLayout.PAGE_SHIFT;

  /** Bytes of a window, in which entries are read and written. */
  static final int WINDOW = 4096;

  /** Entries in a window. */
  static final int WINDOW_PAGES = WINDOW / ENTRY_BYTES;

  private ChecksumLayout() {}

  /** Position of a page's entry, and size of a file with the entries of the pages before it. */
  public static long position(long page) {
    return page * ENTRY_BYTES;
  }

  /** Size of the file of a home image with this capacity. */
  public static long size(long capacity) {
    return position(capacity >>> HomeLayout.PAGE_SHIFT);
  }

  /** The key of a heap, on which the seals depend. */
  public static long key(UUID heap) {
    return LogSeed.key(heap, 0); // no epoch of the log is 0
  }

  /** The entry of a page with this CRC. */
  public static long entry(long key, long page, int crc) {
    long low = crc & 0xFFFF_FFFFL;
    long seal = LogSeed.seed(key, page << 32 | low) | 1;
    return seal << 32 | low;
  }

  /** The CRC in an entry. */
  public static int crc(long entry) {
    return (int) entry;
  }

  /** The seal of the reach. */
  public static long reachSeal(long key, long lsn) {
    return (LogSeed.seed(key, lsn) & 0xFFFF_FFFFL) | 1;
  }

  /** Whether an entry was written for this page of this heap. */
  public static boolean valid(long key, long page, long entry) {
    return entry == entry(key, page, crc(entry));
  }
}
