package io.everheap.journal;

import java.util.Locale;

/**
 * What a segment file looks like. Its name is its <em>ordinal</em>, 16 hexadecimal digits; ordinals
 * ascend in the order in which segments were begun, and none is used twice.
 *
 * <pre>
 *   0       8         12          16     32      40        48         56
 *   +-------+---------+-----------+------+-------+---------+----------+-----------------+
 *   | magic | version | alignment | uuid | epoch | ordinal | previous | first sequence  |
 *   +-------+---------+-----------+------+-------+---------+----------+-----------------+
 *   64     72     80        88      92    96
 *   +------+------+---------+-------+-----+-------
 *   | size | time | durable | chain | crc | zeros
 *   +------+------+---------+-------+-----+-------
 *   | 4096: records
 * </pre>
 *
 * The previous ordinal is that of the segment which the records follow, 0 if there is none. The
 * chain is the crc of the record before the first one. Everything before the durable position was
 * durable when the header was written. The time is in milliseconds since 1970. The crc is the
 * CRC32C of the 92 bytes before it. Whoever writes a header makes it durable before the first
 * record.
 */
final class SegmentLayout {
  /** "EVERJRN1", little-endian. */
  static final long MAGIC = 0x314E_524A_5245_5645L;

  /** The format that this code writes and the only one that it reads. */
  static final int FORMAT_VERSION = 1;

  /** Unit of durable writes. */
  static final int BLOCK = 4096;

  /** Where the first record starts. */
  static final int START = BLOCK;

  /** Bytes of a header that mean something. */
  static final int HEADER_SIZE = 96;

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

  /** A segment that is being made. */
  static final String TEMPORARY = "segment.new";

  /** A copy of a segment without its unused end. */
  static final String TRIMMED = "segment.trimmed";

  static final int VERSION = 8;
  static final int ALIGNMENT = 12;
  static final int UUID_HIGH = 16;
  static final int UUID_LOW = 24;
  static final int EPOCH = 32;
  static final int ORDINAL = 40;
  static final int PREVIOUS = 48;
  static final int FIRST_SEQUENCE = 56;
  static final int SIZE = 64;
  static final int TIME = 72;
  static final int DURABLE = 80;
  static final int CHAIN = 88;
  static final int CRC = 92;

  private SegmentLayout() {}

  /** Name of the segment with an ordinal. */
  static String name(long ordinal) {
    return String.format(Locale.ROOT, "%016x", ordinal);
  }

  /** Whether a name is one of a segment. */
  static boolean isSegment(String name) {
    return name.length() == 16
        && name.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))
        && name.charAt(0) < '8';
  }

  /** The ordinal in a name. */
  static long ordinal(String name) {
    return Long.parseLong(name, 16);
  }
}
