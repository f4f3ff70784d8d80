package io.everheap.journal;

import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;

/**
 * The parts of the segment format that belong to journals alone. The name of a segment is its
 * ordinal; ordinals ascend in the order in which segments were begun, and none is used twice. The
 * number of a record is its sequence.
 */
final class JournalLayout {
  /** "EVERJRN1", little-endian. */
  static final long MAGIC = 0x314E_524A_5245_5645L;

  /** The format that this code writes and the only one that it reads. */
  static final int FORMAT_VERSION = 2;

  /** Smallest segment in bytes. */
  static final int MIN_SIZE = 16 << 10;

  /** Largest segment of the usual size in bytes. */
  static final int MAX_SIZE = 1 << 30;

  /** Largest segment that is made for one large record or batch. */
  static final long MAX_LARGE = (1L << 30) + (64 << 10);

  /** Records start at multiples of it on files. */
  static final int FILE_ALIGNMENT = 8;

  /** The same on byte-addressable media: a cache line, so that each is written back once. */
  static final int DIRECT_ALIGNMENT = 64;

  /** The exclusive limit of ordinals, so that a position is a positive number. */
  static final long MAX_ORDINAL = 1L << 34;

  /** The name of a segment that is being made. */
  static final String TEMPORARY = "segment.new";

  /** The name of a copy of a segment without its unused end. */
  static final String TRIMMED = "segment.trimmed";

  private JournalLayout() {}

  /** Whether this code can have written a header, given the name and the size of its file. */
  static boolean plausible(SegmentHeader header, String name, long fileSize) {
    return header.plausible(fileSize)
        && header.ordinal() == SegmentLayout.number(name)
        && header.ordinal() < MAX_ORDINAL
        && (header.alignment() == FILE_ALIGNMENT || header.alignment() == DIRECT_ALIGNMENT)
        && header.size() <= MAX_LARGE;
  }

  /** Whether the medium of a segment was byte-addressable: there each record is durable alone. */
  static boolean isDirect(SegmentHeader header) {
    return header.alignment() == DIRECT_ALIGNMENT;
  }
}
