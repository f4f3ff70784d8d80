package io.everheap.engine.log;

import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;

/**
 * The layout of the segments of a heap's log, in addition to {@link SegmentLayout}. They are in the
 * directory {@code log} and have a fixed size; their names are unrelated to their contents. The
 * ordinal counts the segments of an epoch from 1; records are parts, and the number of a part is
 * its LSN; the time is not used. The alignment shows whether the segment has batches ({@link
 * BatchLayout}) or consecutive parts.
 */
public final class LogLayout {
  /** "EVERLOG1", little-endian. */
  public static final long MAGIC = 0x3147_4F4C_5245_5645L;

  /** The format that this code writes and the only one that it reads. */
  public static final int FORMAT_VERSION = 2;

  /** Alignment in a segment with batches. */
  public static final int BATCHES = SegmentLayout.BLOCK;

  /** Alignment in a segment with parts, each at offset start + LSN - LSN of the segment. */
  public static final int DIRECT = PartLayout.DIRECT_ALIGNMENT;

  /** Directory of the segments. */
  public static final String DIRECTORY = "log";

  /** Name of a segment's file until it is complete. */
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

  /** Whether the fields of a header are in the ranges that this code writes, for this file size. */
  static boolean plausible(SegmentHeader header, long fileSize) {
    return header.plausible(fileSize)
        && (header.alignment() == BATCHES || header.alignment() == DIRECT)
        && header.first() % PartLayout.ALIGNMENT == 0
        && header.size() == fileSize
        && fileSize >= MIN_SIZE
        && fileSize <= MAX_SIZE;
  }
}
