package io.everheap.journal.replica;

import java.nio.ByteBuffer;

/**
 * How far a journal reaches: its last segment, and what stands there.
 *
 * @param epoch of the segment; 0 if there is none
 * @param ordinal of the segment; 0 if there is none
 * @param header crc of the segment's header without the size, which may be cut off
 * @param size of the segment
 * @param offset behind its last record
 * @param sequence of the next record
 * @param chain crc of its last record, or the one before the segment
 * @param link crc that the header of a following segment of the same epoch has to name: that of the
 *     mark which ends the segment, if it is there; otherwise the same as the chain
 */
public record JournalPosition(
    long epoch,
    long ordinal,
    int header,
    long size,
    long offset,
    long sequence,
    int chain,
    int link) {
  /** Bytes of an encoded position. */
  public static final int LENGTH = 5 * 8 + 3 * 4;

  /** Of a journal without a segment. */
  public static final JournalPosition NONE = new JournalPosition(0, 0, 0, 0, 0, 0, 0, 0);

  /** Writes it, in the order of the buffer. */
  public ByteBuffer put(ByteBuffer b) {
    return b.putLong(epoch)
        .putLong(ordinal)
        .putInt(header)
        .putLong(size)
        .putLong(offset)
        .putLong(sequence)
        .putInt(chain)
        .putInt(link);
  }

  /** Reads what {@link #put} wrote. */
  public static JournalPosition get(ByteBuffer b) {
    return new JournalPosition(
        b.getLong(),
        b.getLong(),
        b.getInt(),
        b.getLong(),
        b.getLong(),
        b.getLong(),
        b.getInt(),
        b.getInt());
  }
}
