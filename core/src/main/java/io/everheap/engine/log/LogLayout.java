package io.everheap.engine.log;

import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;

/**
 * What the segments of a heap's log have for themselves. They are in the directory {@code log},
 * have a fixed size, and their names say nothing about what is in them. The ordinal counts the
 * segments of an epoch from 1; records are parts, and the number of a part is its LSN; there is no
 * time. The alignment tells how the parts lie: in batches ({@link BatchLayout}), or themselves one
 * after the other.
 */
public final class LogLayout {
  /** "EVERLOG1", little-endian. */
  public static final long MAGIC = 0x3147_4F4C_5245_5645L;

  /** The format that this code writes and the only one that it reads. */
  public static final int FORMAT_VERSION = 2;

  /** Alignment in a segment that holds batches. */
  public static final int BATCHES = SegmentLayout.BLOCK;

  /** Alignment in a segment that holds parts at their place: start + lsn - start LSN. */
  public static final int DIRECT = PartLayout.DIRECT_ALIGNMENT;

  /** Directory of the segments. */
  public static final String DIRECTORY = "log";

  /** Name of a segment that is being made. */
  public static final String TEMPORARY = "log/new";

  /** Smallest segment in bytes. */
  public static final int MIN_SIZE = 64 << 10;

  /** Largest segment in bytes. */
  public static final int MAX_SIZE = 1 << 30;

  private LogLayout() {}

  /** Name of the segment file with this number, relative to the heap. */
  public static String name(long number) {
    return DIRECTORY + "/" + SegmentLayout.name(number);
  }

  /** Whether a header is such as this code writes, for a file of so many bytes. */
  static boolean plausible(SegmentHeader header, long fileSize) {
    return header.plausible(fileSize)
        && (header.alignment() == BATCHES || header.alignment() == DIRECT)
        && header.first() % PartLayout.ALIGNMENT == 0
        && header.size() == fileSize
        && fileSize >= MIN_SIZE
        && fileSize <= MAX_SIZE;
  }
}
