package io.everheap.engine.log;

import java.util.Locale;

/**
 * What a log segment file looks like: {@code log/} and 16 hexadecimal digits, a name that says
 * nothing about what is in it. Segments have a fixed size, are filled with zeros before their first
 * use, and used again by writing a new header over the old one.
 *
 * <pre>
 *   0     8         12      16     32      40         48          56      64       68
 *   +-----+---------+-------+------+-------+----------+-----------+-------+--------+-----+-------
 *   |magic| version | kind  | uuid | epoch | sequence | start LSN | size  | chain  | crc | zeros
 *   +-----+---------+-------+------+-------+----------+-----------+-------+--------+-----+-------
 *   | 4096: batches (kind 1, see BatchLayout), or the parts themselves one after the other (kind 2)
 * </pre>
 *
 * The sequence counts the segments of an epoch from 1. The chain is the crc of the part before the
 * start LSN. The crc is the CRC32C of the 68 bytes before it. The whole header lies in one sector.
 */
public final class SegmentLayout {
  /** "EVERLOG1", little-endian. */
  public static final long MAGIC = 0x3147_4F4C_5245_5645L;

  /** The format that this code writes and the only one that it reads. */
  public static final int FORMAT_VERSION = 1;

  /** Kind of a segment that holds batches. */
  public static final int BATCHES = 1;

  /** Kind of a segment that holds parts at their place: start + lsn - start LSN. */
  public static final int DIRECT = 2;

  /** Unit of durable writes; batches start at multiples of it. */
  public static final int BLOCK = 4096;

  /** Where the first batch or part starts. */
  public static final int START = BLOCK;

  /** Directory of the segments. */
  public static final String DIRECTORY = "log";

  /** Name of a segment that is being made. */
  public static final String TEMPORARY = "log/new";

  /** Smallest segment in bytes. */
  public static final int MIN_SIZE = 64 << 10;

  /** Largest segment in bytes. */
  public static final int MAX_SIZE = 1 << 30;

  /** Bytes of a header that mean something. */
  public static final int HEADER_SIZE = 72;

  static final int VERSION = 8;
  static final int KIND = 12;
  static final int UUID_HIGH = 16;
  static final int UUID_LOW = 24;
  static final int EPOCH = 32;
  static final int SEQUENCE = 40;
  static final int START_LSN = 48;
  static final int SIZE = 56;
  static final int CHAIN = 64;
  static final int CRC = 68;

  private SegmentLayout() {}

  /** Name of the segment file with this number. */
  public static String name(long number) {
    return String.format(Locale.ROOT, "%s/%016x", DIRECTORY, number);
  }

  /** Whether a plain name in the directory is one of a segment. */
  public static boolean isSegment(String plainName) {
    return plainName.length() == 16
        && plainName.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  /** Rounds up to the next multiple of {@link #BLOCK}. */
  public static long alignToBlock(long bytes) {
    return (bytes + BLOCK - 1) & -BLOCK;
  }
}
