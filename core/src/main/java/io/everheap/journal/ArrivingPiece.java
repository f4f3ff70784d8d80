package io.everheap.journal;

import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Records of a segment that arrive in parts and are stored at once. Not thread-safe. */
final class ArrivingPiece {
  private final long start; // offset in the segment
  private final ByteBuffer bytes; // from START on, since records never are before

  ArrivingPiece(long start, int length) {
    this.start = start;
    this.bytes =
        ByteBuffer.allocate(SegmentLayout.START + length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .position(SegmentLayout.START);
  }

  /** Adds bytes; false if there are more than are to come. */
  boolean add(ByteBuffer more) {
    if (more.remaining() > bytes.remaining()) {
      return false;
    }
    bytes.put(more);
    return true;
  }

  boolean isWhole() {
    return !bytes.hasRemaining();
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
