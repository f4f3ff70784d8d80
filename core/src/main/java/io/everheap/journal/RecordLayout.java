package io.everheap.journal;

/**
 * The layout of a record.
 *
 * <pre>
 *   0     4              8         12                     16       24          ...      length
 *   +-----+--------------+---------+----------+-----------+--------+-----------+---------+-------+
 *   | crc | previous crc | payload | sequence | flags     | [time] | [durable] | payload | zeros |
 *   |     |              | bytes   | 24 bits  | bits 24.. | TIME   | DURABLE   |         |       |
 *   +-----+--------------+---------+----------+-----------+--------+-----------+---------+-------+
 * </pre>
 *
 * All fields are little-endian. The crc is that of everything up to the end of the payload, as
 * {@link io.everheap.log.RecordSeal} says. The previous crc is that of the record before. Records
 * start at multiples of the segment's alignment.
 */
final class RecordLayout {
  /** Bytes before optional fields and payload. */
  static final int HEADER = 16;

  /** Most bytes of header and optional fields. */
  static final int MAX_HEADER = HEADER + 16;

  static final int CRC = 0;
  static final int PREVIOUS = 4;
  static final int LENGTH = 8;
  static final int SEQUENCE = 12;

  /** The bits of the fourth field that hold the low bits of the sequence. */
  static final int SEQUENCE_MASK = (1 << 24) - 1;

  /** The first record of a batch, or a record by itself. */
  static final int FIRST = 1 << 24;

  /** The last record of a batch, or a record by itself. */
  static final int LAST = 1 << 25;

  /** The record has a time. */
  static final int TIME = 1 << 26;

  /** Tells the position before which everything was durable when the record was made. */
  static final int DURABLE = 1 << 27;

  /** No record: the journal continues in the next segment. */
  static final int END = 1 << 28;

  /** Every flag. */
  static final int ANY = FIRST | LAST | TIME | DURABLE | END;

  private static final int KNOWN = SEQUENCE_MASK | ANY;

  /** Most bytes of a payload. */
  static final int MAX_PAYLOAD = 1 << 30;

  private RecordLayout() {}

  /** Bytes before the payload of a record with these flags. */
  static int headerSize(int flags) {
    return HEADER + ((flags & TIME) != 0 ? 8 : 0) + ((flags & DURABLE) != 0 ? 8 : 0);
  }

  /** Where the durable position stands in a record with these flags. */
  static int durableOffset(int flags) {
    return HEADER + ((flags & TIME) != 0 ? 8 : 0);
  }

  /** Throws if no record can have a payload of so many bytes. */
  static void requirePayload(long length) {
    if (length < 0 || length > MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          "a record of " + length + " bytes: at least 0, at most " + MAX_PAYLOAD);
    }
  }

  /** Rounds up to the next multiple of an alignment, a power of two. */
  static long align(long bytes, int alignment) {
    return (bytes + alignment - 1) & -alignment;
  }

  /** Whether a record with this sequence can have the length and the fourth field. */
  static boolean plausible(int length, int field, long sequence) {
    if (length < 0
        || length > MAX_PAYLOAD
        || (field & ~KNOWN) != 0
        || ((field ^ (int) sequence) & SEQUENCE_MASK) != 0) {
      return false;
    }
    return (field & END) == 0 || (length == 0 && (field & (FIRST | LAST | TIME | DURABLE)) == 0);
  }

  /** Names a place in the journal: unique for each segment and offset, and ascending. */
  static long position(long ordinal, long offset) {
    return ordinal << 28 | offset >>> 3;
  }

  /** The segment of a position. */
  static long ordinal(long position) {
    return position >>> 28;
  }

  /** The offset of a position. */
  static long offset(long position) {
    return (position & (1 << 28) - 1) << 3;
  }
}
