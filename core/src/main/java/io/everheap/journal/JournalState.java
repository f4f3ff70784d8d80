package io.everheap.journal;

import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What the file {@code journal} says: two slots of a block each, written alternately.
 *
 * <pre>
 *   0       8         12      16     32           40      48              56
 *   +-------+---------+-------+------+------------+-------+---------------+----------------+
 *   | magic | version | flags | uuid | generation | epoch | epoch ordinal | first sequence |
 *   +-------+---------+-------+------+------------+-------+---------------+----------------+
 *   64              72             80             88     508
 *   +---------------+--------------+--------------+------+-----+
 *   | first ordinal | end sequence | segment size | zeros| crc |
 *   +---------------+--------------+--------------+------+-----+
 * </pre>
 *
 * @param version of the format
 * @param begun whether the segment with the epoch's ordinal has a valid header
 * @param clean whether the journal was closed: it reaches the end sequence
 * @param uuid of the journal
 * @param generation of this state; the higher one counts
 * @param epoch the newest that was taken
 * @param epochOrdinal the segment that begins it
 * @param firstSequence records below are released
 * @param firstOrdinal segments below are released
 * @param endSequence the journal has all records below
 * @param segmentSize of new segments
 */
record JournalState(
    int version,
    boolean begun,
    boolean clean,
    UUID uuid,
    long generation,
    long epoch,
    long epochOrdinal,
    long firstSequence,
    long firstOrdinal,
    long endSequence,
    int segmentSize) {

  /** "EVERJRNL", little-endian. */
  static final long MAGIC = 0x4C4E_524A_5245_5645L;

  /** Used bytes of a slot: one sector. */
  static final int SIZE = 512;

  /** Where the second slot starts. */
  static final int SLOT = 4096;

  private static final int BEGUN = 1;
  private static final int CLEAN = 2;
  private static final int CRC = 508;

  /** The state of a new journal. */
  static JournalState initial(UUID uuid, long firstSequence, int segmentSize) {
    return new JournalState(
        JournalLayout.FORMAT_VERSION,
        true,
        true,
        uuid,
        1,
        0,
        0,
        firstSequence,
        1,
        firstSequence,
        segmentSize);
  }

  /**
   * The state that takes an epoch, which begins with a segment; the journal reaches {@code end}.
   */
  JournalState taken(long newEpoch, long ordinal, long end, int newSegmentSize) {
    return new JournalState(
        version,
        false,
        false,
        uuid,
        generation + 1,
        newEpoch,
        ordinal,
        firstSequence,
        firstOrdinal,
        end,
        newSegmentSize);
  }

  /**
   * The same, if everything before the segment was released or cut off: it is the first one, and
   * its records begin at {@code first}.
   */
  JournalState takenAnew(long newEpoch, long ordinal, long first) {
    return new JournalState(
        version,
        false,
        false,
        uuid,
        generation + 1,
        newEpoch,
        ordinal,
        first,
        ordinal,
        first,
        segmentSize);
  }

  /**
   * The state when the header of the epoch's segment is durable, and the journal has all records
   * below.
   */
  JournalState begun(long end) {
    return with(true, false, firstSequence, firstOrdinal, end);
  }

  /** The state of a journal that has all records below a sequence, and is written again. */
  JournalState reopened(long end) {
    return with(begun, false, firstSequence, firstOrdinal, end);
  }

  /** The state when everything before a sequence is released. */
  JournalState releasedBefore(long sequence, long ordinal) {
    return with(begun, clean, sequence, ordinal, Math.max(endSequence, sequence));
  }

  /** The state of a closed journal. */
  JournalState closed(long end) {
    return with(begun, true, firstSequence, firstOrdinal, end);
  }

  /**
   * The state of a copy of the journal that was restored; its next epoch is above all that the
   * original had.
   */
  JournalState restored(long first, long ordinal, long end) {
    return new JournalState(
        version,
        false,
        true,
        uuid,
        generation + 1,
        epoch,
        epochOrdinal,
        first,
        ordinal,
        end,
        segmentSize);
  }

  private JournalState with(
      boolean nowBegun, boolean nowClean, long first, long ordinal, long end) {
    return new JournalState(
        version,
        nowBegun,
        nowClean,
        uuid,
        generation + 1,
        epoch,
        epochOrdinal,
        first,
        ordinal,
        end,
        segmentSize);
  }

  /** The bytes of a slot. */
  ByteBuffer encode() {
    ByteBuffer b = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putInt(8, version).putInt(12, (begun ? BEGUN : 0) | (clean ? CLEAN : 0));
    b.putLong(16, uuid.getMostSignificantBits()).putLong(24, uuid.getLeastSignificantBits());
    b.putLong(32, generation).putLong(40, epoch).putLong(48, epochOrdinal);
    b.putLong(56, firstSequence).putLong(64, firstOrdinal).putLong(72, endSequence);
    b.putLong(80, segmentSize);
    return b.putInt(CRC, crc(b));
  }

  /** Reads a slot; null if none validates there. The numbers of another version are not checked. */
  static @Nullable JournalState decode(ByteBuffer b) {
    if (b.limit() < SIZE || b.getLong(0) != MAGIC || b.getInt(CRC) != crc(b)) {
      return null;
    }
    int flags = b.getInt(12);
    JournalState state =
        new JournalState(
            b.getInt(8),
            (flags & BEGUN) != 0,
            (flags & CLEAN) != 0,
            new UUID(b.getLong(16), b.getLong(24)),
            b.getLong(32),
            b.getLong(40),
            b.getLong(48),
            b.getLong(56),
            b.getLong(64),
            b.getLong(72),
            (int) b.getLong(80));
    return state.version != JournalLayout.FORMAT_VERSION || state.plausible() ? state : null;
  }

  private boolean plausible() {
    return generation > 0
        && epoch >= 0
        && epochOrdinal >= 0
        && epochOrdinal < JournalLayout.MAX_ORDINAL
        && firstSequence >= 0
        && firstOrdinal >= 0
        && firstOrdinal <= JournalLayout.MAX_ORDINAL
        && endSequence >= firstSequence
        && segmentSize >= JournalLayout.MIN_SIZE
        && segmentSize <= JournalLayout.MAX_SIZE
        && segmentSize % SegmentLayout.BLOCK == 0;
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, CRC));
    return (int) crc.getValue();
  }
}
