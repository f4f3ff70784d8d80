package io.everheap.engine.log;

import io.everheap.log.RecordSeal;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;

/**
 * The layout of a batch, which one durable write adds to a segment: a header and whole parts,
 * padded with zeros to blocks of {@value SegmentLayout#BLOCK} bytes. It starts at a block border
 * and never overwrites a block of an earlier batch.
 *
 * <pre>
 *   0     4       8       16        24          32            40       44      48      64
 *   +-----+-------+-------+---------+-----------+-------------+--------+-------+-------+---------
 *   | crc | magic | epoch | ordinal | start LSN | durable LSN | length | chain | zeros | parts ...
 *   +-----+-------+-------+---------+-----------+-------------+--------+-------+-------+---------
 * </pre>
 *
 * The ordinal is that of the segment. The durable LSN is the one before this write: the header
 * proves that everything below it was durable, so a gap before it is damage and not a torn tail.
 * The length is that of the parts in bytes. The chain is the crc of the part before the start LSN.
 * The crc is that of the header as a record at the start LSN; see {@link RecordSeal}.
 */
public final class BatchLayout {
  /** "EVBT", little-endian. */
  public static final int MAGIC = 0x5442_5645;

  /** Bytes before the parts. */
  public static final int HEADER_SIZE = 64;

  /** Maximum size of the parts in one batch, whatever the size of the segment. */
  public static final int MAX_PAYLOAD = 2 << 20;

  static final int MAGIC_OFFSET = 4;
  static final int EPOCH = 8;
  static final int ORDINAL = 16;
  static final int START_LSN = 24;
  static final int DURABLE_LSN = 32;
  static final int LENGTH = 40;
  static final int CHAIN = 44;
  static final int RESERVED = 48;

  private BatchLayout() {}

  /** Maximum size of the parts in one batch of a segment of this size; at least two parts fit. */
  public static int maxPayload(int segmentSize) {
    return Math.min(MAX_PAYLOAD, segmentSize / 2);
  }

  /** Size in a segment of a batch with parts of this size, in bytes. */
  public static long size(long payload) {
    return SegmentLayout.alignToBlock(HEADER_SIZE + payload);
  }

  /** Writes a header at {@code at} of a little-endian buffer. */
  static void encode(
      ByteBuffer b,
      int at,
      long key,
      long epoch,
      long ordinal,
      long start,
      long durable,
      int length,
      int chain) {
    b.putInt(at + MAGIC_OFFSET, MAGIC);
    b.putLong(at + EPOCH, epoch).putLong(at + ORDINAL, ordinal);
    b.putLong(at + START_LSN, start).putLong(at + DURABLE_LSN, durable);
    b.putInt(at + LENGTH, length).putInt(at + CHAIN, chain);
    b.putLong(at + RESERVED, 0).putLong(at + RESERVED + 8, 0);
    new RecordSeal(key).seal(b, at, at + HEADER_SIZE, start);
  }

  /**
   * Whether there is a header of this heap and epoch at {@code at}; its numbers are not checked.
   */
  static boolean valid(ByteBuffer b, int at, long key, long epoch) {
    return b.getInt(at + MAGIC_OFFSET) == MAGIC
        && b.getLong(at + EPOCH) == epoch
        && new RecordSeal(key).matches(b, at, at + HEADER_SIZE, b.getLong(at + START_LSN));
  }

  /** Whether there is a header at {@code at} that was written to this use of a segment. */
  static boolean isOf(ByteBuffer b, int at, long key, SegmentHeader segment) {
    return valid(b, at, key, segment.epoch()) && b.getLong(at + ORDINAL) == segment.ordinal();
  }
}
