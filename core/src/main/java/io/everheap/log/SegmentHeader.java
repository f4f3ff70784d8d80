package io.everheap.log;

import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header of a segment; see {@link SegmentLayout}. The magic number differs between the heap's
 * log and the journal.
 *
 * @param version of the format
 * @param alignment of the records
 * @param uuid of the log
 * @param epoch that wrote the segment
 * @param ordinal of the segment, from 1
 * @param previous ordinal of the segment before it, or 0
 * @param first number of the first record
 * @param size of the segment in bytes
 * @param time at which the segment was begun, in milliseconds since 1970, or 0
 * @param durable position below which everything was durable at that time
 * @param chain crc of the record before the first
 */
public record SegmentHeader(
    int version,
    int alignment,
    UUID uuid,
    long epoch,
    long ordinal,
    long previous,
    long first,
    long size,
    long time,
    long durable,
    int chain) {

  /** Exclusive limit of epochs, ordinals and numbers of records. */
  private static final long MAX_NUMBER = 1L << 62;

  /** Encodes the header. */
  public ByteBuffer encode(long magic) {
    ByteBuffer b = ByteBuffer.allocate(SegmentLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, magic).putInt(SegmentLayout.VERSION, version);
    b.putInt(SegmentLayout.ALIGNMENT, alignment);
    b.putLong(SegmentLayout.UUID_HIGH, uuid.getMostSignificantBits());
    b.putLong(SegmentLayout.UUID_LOW, uuid.getLeastSignificantBits());
    b.putLong(SegmentLayout.EPOCH, epoch).putLong(SegmentLayout.ORDINAL, ordinal);
    b.putLong(SegmentLayout.PREVIOUS, previous).putLong(SegmentLayout.FIRST, first);
    b.putLong(SegmentLayout.SIZE, size).putLong(SegmentLayout.TIME, time);
    b.putLong(SegmentLayout.DURABLE, durable).putInt(SegmentLayout.CHAIN, chain);
    return b.putInt(SegmentLayout.CRC, crc(b));
  }

  /** Reads a header from the start of a little-endian buffer; null if none validates there. */
  public static @Nullable SegmentHeader decode(ByteBuffer b, long magic) {
    if (b.limit() < SegmentLayout.HEADER_SIZE
        || b.getLong(0) != magic
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
        b.getLong(SegmentLayout.FIRST),
        b.getLong(SegmentLayout.SIZE),
        b.getLong(SegmentLayout.TIME),
        b.getLong(SegmentLayout.DURABLE),
        b.getInt(SegmentLayout.CHAIN));
  }

  /** The format version at the start of a little-endian buffer; 0 without the magic number. */
  public static int version(ByteBuffer b, long magic) {
    return b.getLong(0) == magic ? b.getInt(SegmentLayout.VERSION) : 0;
  }

  /** Reads the header of a file; null if none validates there. */
  public static @Nullable SegmentHeader read(MediumFile file, long magic) {
    ByteBuffer b = ByteBuffer.allocate(SegmentLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    return file.read(b, 0) < SegmentLayout.HEADER_SIZE ? null : decode(b.clear(), magic);
  }

  /** Whether the numbers are in the ranges that this code writes, for a file of this size. */
  public boolean plausible(long fileSize) {
    return epoch > 0
        && epoch < MAX_NUMBER
        && ordinal > 0
        && ordinal < MAX_NUMBER
        && previous >= 0
        && previous < ordinal
        && first >= 0
        && first < MAX_NUMBER
        && size >= SegmentLayout.BLOCK
        && size <= fileSize
        && size % SegmentLayout.BLOCK == 0;
  }

  /** Returns this header with another size. */
  public SegmentHeader withSize(long newSize) {
    return new SegmentHeader(
        version, alignment, uuid, epoch, ordinal, previous, first, newSize, time, durable, chain);
  }

  /** The crc of all that stays as it is: of the encoded header with a size of 0. */
  public int identity(long magic) {
    return withSize(0).encode(magic).getInt(SegmentLayout.CRC);
  }

  /** The uuid of the log to which most of these segments belong. */
  public static Optional<UUID> mostFrequentLog(Collection<SegmentHeader> headers) {
    return headers.stream()
        .collect(Collectors.groupingBy(SegmentHeader::uuid, Collectors.counting()))
        .entrySet()
        .stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey);
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, SegmentLayout.CRC));
    return (int) crc.getValue();
  }
}
