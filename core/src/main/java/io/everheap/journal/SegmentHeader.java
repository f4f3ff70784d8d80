package io.everheap.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header of a segment, see {@link SegmentLayout}.
 *
 * @param version of the format
 * @param alignment of the records
 * @param uuid of the journal
 * @param epoch that wrote the segment
 * @param ordinal of the segment
 * @param previous ordinal of the segment before it
 * @param firstSequence of the first record
 * @param size of the segment in bytes
 * @param time when it was begun, in milliseconds since 1970
 * @param durable position before which everything was durable then
 * @param chain crc of the record before the first
 */
record SegmentHeader(
    int version,
    int alignment,
    UUID uuid,
    long epoch,
    long ordinal,
    long previous,
    long firstSequence,
    long size,
    long time,
    long durable,
    int chain) {

  /** Ordinals are below, so that a position is a positive number. */
  static final long MAX_ORDINAL = 1L << 34;

  private static final long MAX_NUMBER = 1L << 62;

  /** The bytes of the header. */
  ByteBuffer encode() {
    ByteBuffer b = ByteBuffer.allocate(SegmentLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, SegmentLayout.MAGIC).putInt(SegmentLayout.VERSION, version);
    b.putInt(SegmentLayout.ALIGNMENT, alignment);
    b.putLong(SegmentLayout.UUID_HIGH, uuid.getMostSignificantBits());
    b.putLong(SegmentLayout.UUID_LOW, uuid.getLeastSignificantBits());
    b.putLong(SegmentLayout.EPOCH, epoch).putLong(SegmentLayout.ORDINAL, ordinal);
    b.putLong(SegmentLayout.PREVIOUS, previous);
    b.putLong(SegmentLayout.FIRST_SEQUENCE, firstSequence);
    b.putLong(SegmentLayout.SIZE, size).putLong(SegmentLayout.TIME, time);
    b.putLong(SegmentLayout.DURABLE, durable).putInt(SegmentLayout.CHAIN, chain);
    return b.putInt(SegmentLayout.CRC, crc(b));
  }

  /** Reads a header from the start of a little-endian buffer; null if none validates there. */
  static @Nullable SegmentHeader decode(ByteBuffer b) {
    if (b.limit() < SegmentLayout.HEADER_SIZE
        || b.getLong(0) != SegmentLayout.MAGIC
        || b.getInt(SegmentLayout.CRC) != crc(b)) {
      return null;
    }
    return new SegmentHeader(
        b.getInt(SegmentLayout.VERSION),
        b.getInt(SegmentLayout.ALIGNMENT),
        new UUID(b.getLong(SegmentLayout.UUID_HIGH), b.getLong(SegmentLayout.UUID_LOW)),
        b.getLong(SegmentLayout.EPOCH),
        b.getLong(SegmentLayout.ORDINAL),
        b.getLong(SegmentLayout.PREVIOUS),
        b.getLong(SegmentLayout.FIRST_SEQUENCE),
        b.getLong(SegmentLayout.SIZE),
        b.getLong(SegmentLayout.TIME),
        b.getLong(SegmentLayout.DURABLE),
        b.getInt(SegmentLayout.CHAIN));
  }

  /** Whether the numbers are such as this code writes, for a file with a name and a size. */
  boolean plausible(long nameOrdinal, long fileSize) {
    return ordinal == nameOrdinal
        && ordinal > 0
        && ordinal < MAX_ORDINAL
        && previous >= 0
        && previous < ordinal
        && epoch > 0
        && epoch < MAX_NUMBER
        && firstSequence >= 0
        && firstSequence < MAX_NUMBER
        && (alignment == SegmentLayout.FILE_ALIGNMENT
            || alignment == SegmentLayout.DIRECT_ALIGNMENT)
        && size <= fileSize
        && size >= SegmentLayout.BLOCK
        && size <= SegmentLayout.MAX_LARGE;
  }

  /** The same with another size. */
  SegmentHeader withSize(long newSize) {
    return new SegmentHeader(
        version,
        alignment,
        uuid,
        epoch,
        ordinal,
        previous,
        firstSequence,
        newSize,
        time,
        durable,
        chain);
  }

  /** Whether the medium of the segment was byte-addressable: there each record is durable alone. */
  boolean direct() {
    return alignment == SegmentLayout.DIRECT_ALIGNMENT;
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, SegmentLayout.CRC));
    return (int) crc.getValue();
  }
}
