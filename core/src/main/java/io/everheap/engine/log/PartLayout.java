package io.everheap.engine.log;

import io.everheap.log.LogSeed;

/**
 * The layout of a record part. A transaction is one record: consecutive parts, of which all except
 * the last have the flag {@link #MORE}.
 *
 * <pre>
 *   0        4              8                                12          16
 *   +--------+--------------+--------------------------------+-----------+---------+----------+
 *   | crc    | previous crc | length | MORE bit 30 | PAD b31 | lsn / 16  | entries | zeros    |
 *   +--------+--------------+--------------------------------+-----------+---------+----------+
 *                                                                                    ^ length
 * </pre>
 *
 * All fields are little-endian 32-bit integers. The length includes the header and the zeros and is
 * a multiple of {@value #ALIGNMENT}. The crc is the CRC32C of the whole part with the {@link
 * LogSeed#seed} in place of the crc, so that bytes of another heap, epoch or position never
 * validate; the previous crc is that of the part before it in the same epoch. A part with {@link
 * #PAD} fills space that no part can use: its crc covers only its header, and its other bytes are
 * ignored.
 */
public final class PartLayout {
  /** Bytes before the entries. */
  public static final int HEADER_SIZE = 16;

  /** Alignment of parts, in the log and in memory. */
  public static final int ALIGNMENT = 16;

  /** Alignment on byte-addressable media: a cache line, so that each is written back once. */
  public static final int DIRECT_ALIGNMENT = 64;

  /** Largest part in bytes. */
  public static final int MAX_PART = 16 << 10;

  /** Offset of the crc. */
  public static final int CRC = 0;

  /** Offset of the crc of the preceding part. */
  public static final int PREVIOUS_CRC = 4;

  /** Offset of length and flags. */
  public static final int LENGTH = 8;

  /** Offset of the low 32 bits of the LSN in units of {@link #ALIGNMENT}. */
  public static final int POSITION = 12;

  /** Flag: fills unused space. */
  public static final int PAD = 1 << 31;

  /** Flag: another part of the transaction follows. */
  public static final int MORE = 1 << 30;

  /** Mask of the length in the length field. */
  public static final int LENGTH_MASK = (1 << 28) - 1;

  private PartLayout() {}

  /** Rounds up to the next multiple of {@link #ALIGNMENT}. */
  public static long align(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Rounds up to the next multiple of {@link #DIRECT_ALIGNMENT}. */
  public static long alignDirect(long bytes) {
    return (bytes + DIRECT_ALIGNMENT - 1) & -DIRECT_ALIGNMENT;
  }

  /** Length in bytes of the part with this length field, which may be any number. */
  public static int length(int field) {
    return field & LENGTH_MASK;
  }

  /** Whether a length field has no unknown flags and a length that a part can have. */
  public static boolean plausible(int field) {
    int length = length(field);
    return (field & ~(LENGTH_MASK | PAD | MORE)) == 0
        && (field & (PAD | MORE)) != (PAD | MORE)
        && length >= ALIGNMENT
        && length <= MAX_PART
        && length % ALIGNMENT == 0;
  }

  /** The number of bytes that the crc of a part with this length field covers. */
  public static int covered(int field) {
    return (field & PAD) != 0 ? HEADER_SIZE : length(field);
  }

  /** The position field of a part at {@code lsn}. */
  public static int position(long lsn) {
    return (int) (lsn / ALIGNMENT);
  }
}
