package io.everheap.engine.log;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header of a log segment, see {@link SegmentLayout}.
 *
 * @param version of the format
 * @param kind how the parts lie in it
 * @param uuid of the heap
 * @param epoch that wrote it
 * @param sequence of the segment within the epoch, from 1
 * @param startLsn of its first part
 * @param size of the file in bytes
 * @param chain crc of the part before the start LSN
 */
record SegmentHeader(
    int version,
    int kind,
    UUID uuid,
    long epoch,
    long sequence,
    long startLsn,
    long size,
    int chain) {

  /** Epochs, sequences and LSNs are below. */
  private static final long MAX_NUMBER = 1L << 62;

  /** Writes it to the start of a little-endian buffer of at least a header's size. */
  void encode(ByteBuffer b) {
    b.putLong(0, SegmentLayout.MAGIC).putInt(SegmentLayout.VERSION, version);
    b.putInt(SegmentLayout.KIND, kind);
    b.putLong(SegmentLayout.UUID_HIGH, uuid.getMostSignificantBits());
    b.putLong(SegmentLayout.UUID_LOW, uuid.getLeastSignificantBits());
    b.putLong(SegmentLayout.EPOCH, epoch).putLong(SegmentLayout.SEQUENCE, sequence);
    b.putLong(SegmentLayout.START_LSN, startLsn).putLong(SegmentLayout.SIZE, size);
    b.putInt(SegmentLayout.CHAIN, chain).putInt(SegmentLayout.CRC, crc(b));
  }

  /** Reads it from the start of a little-endian buffer; null if no header validates there. */
  static @Nullable SegmentHeader decode(ByteBuffer b) {
    if (b.limit() < SegmentLayout.HEADER_SIZE
        || b.getLong(0) != SegmentLayout.MAGIC
        || b.getInt(SegmentLayout.CRC) != crc(b)) {
      return null;
    }
    return new SegmentHeader(
        b.getInt(SegmentLayout.VERSION),
        b.getInt(SegmentLayout.KIND),
        new UUID(b.getLong(SegmentLayout.UUID_HIGH), b.getLong(SegmentLayout.UUID_LOW)),
        b.getLong(SegmentLayout.EPOCH),
        b.getLong(SegmentLayout.SEQUENCE),
        b.getLong(SegmentLayout.START_LSN),
        b.getLong(SegmentLayout.SIZE),
        b.getInt(SegmentLayout.CHAIN));
  }

  /** Whether the numbers are such as this code writes, for a file of {@code fileSize} bytes. */
  boolean plausible(long fileSize) {
    return (kind == SegmentLayout.BATCHES || kind == SegmentLayout.DIRECT)
        && epoch > 0
        && epoch < MAX_NUMBER
        && sequence > 0
        && sequence < MAX_NUMBER
        && startLsn >= 0
        && startLsn < MAX_NUMBER
        && startLsn % PartLayout.ALIGNMENT == 0
        && size == fileSize
        && size >= SegmentLayout.MIN_SIZE
        && size <= SegmentLayout.MAX_SIZE
        && size % SegmentLayout.BLOCK == 0;
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, SegmentLayout.CRC));
    return (int) crc.getValue();
  }
}
