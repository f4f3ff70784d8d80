package io.everheap.log;

import java.util.Locale;

/**
 * The layout of a segment of a log. Its file name is a number of 16 lower-case hexadecimal digits,
 * the first below 8. A new segment is full of zeros; a segment is used again by writing a new
 * header over the old one, so behind its records are zeros or records of its earlier uses.
 *
 * <pre>
 *   0       8         12          16     32      40        48         56
 *   +-------+---------+-----------+------+-------+---------+----------+-------+
 *   | magic | version | alignment | uuid | epoch | ordinal | previous | first |
 *   +-------+---------+-----------+------+-------+---------+----------+-------+
 *   64     72     80        88      92    96
 *   +------+------+---------+-------+-----+-------
 *   | size | time | durable | chain | crc | zeros
 *   +------+------+---------+-------+-----+-------
 *   | 4096: records
 * </pre>
 *
 * Records, or the batches that contain them, start at multiples of the alignment. The ordinals give
 * the order of the segments; previous is the ordinal of the segment before, 0 if there is none.
 * First is the number of the first record, and chain the crc of the record before it. Everything
 * below the durable position was durable when the header was written. The time is in milliseconds
 * since 1970, or 0. The crc is the CRC32C of the 92 bytes before it. The whole header lies in one
 * sector. It is made durable before the first record or in the same write, of which a power loss
 * may keep only the record; but no record is acknowledged before the header is durable.
 */
public final class SegmentLayout {
  /** Unit of durable writes. */
  public static final int BLOCK = 4096;

  /** Offset of the first record. */
  public static final int START = BLOCK;

  /** Size of the used part of a header, in bytes. */
  public static final int HEADER_SIZE = 96;

  static final int VERSION = 8;
  static final int ALIGNMENT = 12;
  static final int UUID_HIGH = 16;
  static final int UUID_LOW = 24;

  /** Offset of the epoch. */
  public static final int EPOCH = 32;

  static final int ORDINAL = 40;
  static final int PREVIOUS = 48;

  /** Offset of the number of the first record. */
  public static final int FIRST = 56;

  static final int SIZE = 64;
  static final int TIME = 72;
  static final int DURABLE = 80;
  static final int CHAIN = 88;
  static final int CRC = 92;

  private SegmentLayout() {}

  /** The file name of a segment with a number. */
  public static String name(long number) {
    return String.format(Locale.ROOT, "%016x", number);
  }

  /** Whether a name, without a directory, is that of a segment. */
  public static boolean isSegment(String name) {
    boolean is = name.length() == 16 && name.charAt(0) < '8';
    for (int i = 0; is && i < name.length(); i++) {
      char c = name.charAt(i);
      is = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }
    return is;
  }

  /** The number in a name. */
  public static long number(String name) {
    return Long.parseLong(name, 16);
  }

  /** Rounds up to the next multiple of {@link #BLOCK}. */
  public static long alignToBlock(long bytes) {
    return (bytes + BLOCK - 1) & -BLOCK;
  }
}
