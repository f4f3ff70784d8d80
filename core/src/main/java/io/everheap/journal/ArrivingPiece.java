package io.everheap.journal;

import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Records of a segment that arrive in parts and are stored at once. Memory is taken only as they
 * arrive: whoever announces many must send them. Not thread-safe.
 */
final class ArrivingPiece {
  private static final int FIRST_BYTES = 64 << 10;

  private final long start; // offset in the segment
  private final int end; // in the buffer
  private ByteBuffer bytes; // from START on, since records never are before

  ArrivingPiece(long start, int length) {
    this.start = start;
    this.end = SegmentLayout.START + length;
    this.bytes = allocate(Math.min(end, FIRST_BYTES)).position(SegmentLayout.START);
  }

  private static ByteBuffer allocate(int capacity) {
    return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Adds bytes; false if there are more than are to come. */
  boolean add(ByteBuffer more) {
    if (more.remaining() > end - bytes.position()) {
      return false;
    }
    if (more.remaining() > bytes.remaining()) {
      int wanted = Math.max(bytes.position() + more.remaining(), 2 * bytes.capacity());
      bytes = allocate(Math.min(end, wanted)).put(bytes.flip());
    }
    bytes.put(more);
    return true;
  }

  boolean isWhole() {
    return bytes.position() == end;
  }

  long start() {
    return start;
  }

  /** What is to be stored at the start. */
  ByteBuffer bytes() {
    return bytes.position(SegmentLayout.START);
  }

  /**
   * What a whole piece is.
   *
   * @param end of the segment with it
   * @param inOrder whether its records prove nothing that was not so before it is stored
   */
  record Checked(ReceivedEnd end, boolean inOrder) {}

  /** Checks that all of it are whole batches that follow an end; null if not. */
  @Nullable Checked check(SegmentHeader header, ReceivedEnd before) {
    long shift = start - SegmentLayout.START;
    RecordScanner records = new RecordScanner(bytes, header, shift);
    boolean direct = JournalLayout.isDirect(header);
    long from = RecordLayout.position(header.ordinal(), start);
    long at = SegmentLayout.START;
    long sequence = before.sequence();
    int crc = before.chain();
    boolean inOrder = true;
    boolean whole = true;
    while (at < bytes.limit()
        && records.follows(at, sequence, crc)
        && !records.has(RecordLayout.END)) {
      boolean alone = at == SegmentLayout.START || !direct || !records.has(RecordLayout.FIRST);
      inOrder &= records.durable(at) <= from && alone;
      whole = records.has(RecordLayout.LAST);
      crc = records.checksum();
      at = records.next();
      sequence++;
    }
    ReceivedEnd end = ReceivedEnd.at(records, at, shift, sequence, crc);
    boolean all = whole && end.behind() == bytes.limit() + shift;
    return all ? new Checked(end, inOrder && !(direct && end.hasMark())) : null;
  }
}
