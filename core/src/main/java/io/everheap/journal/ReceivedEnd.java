package io.everheap.journal;

import io.everheap.journal.replica.JournalPosition;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;

/**
 * Where the newest segment of a replica ends.
 *
 * @param offset behind its last record
 * @param sequence of the next record
 * @param chain crc of its last record, or of the one before the segment
 * @param behind offset behind the mark of its end if that is there, else behind the last record
 * @param link crc that the header of a following segment of the same epoch names: that of the mark,
 *     else the same as the chain
 */
record ReceivedEnd(long offset, long sequence, int chain, long behind, int link) {
  /** The end of a segment without records. */
  static ReceivedEnd empty(SegmentHeader header) {
    int chain = header.chain();
    return new ReceivedEnd(SegmentLayout.START, header.first(), chain, SegmentLayout.START, chain);
  }

  /** The end behind a record, with the mark if that follows. */
  static ReceivedEnd find(Segment in, long offset, long sequence, int chain) {
    if (!in.pin()) {
      throw new IllegalStateException(in + " was released");
    }
    try {
      return at(new RecordScanner(in.view(), in.header()), offset, 0, sequence, chain);
    } finally {
      in.unpin();
    }
  }

  /**
   * The same.
   *
   * @param place behind the record in what is scanned
   * @param shift from there to the offset in the segment
   */
  static ReceivedEnd at(RecordScanner records, long place, long shift, long sequence, int chain) {
    boolean mark = records.follows(place, sequence, chain) && records.has(RecordLayout.END);
    return new ReceivedEnd(
        place + shift,
        sequence,
        chain,
        (mark ? records.next() : place) + shift,
        mark ? records.checksum() : chain);
  }

  boolean hasMark() {
    return behind > offset;
  }

  /** Whether a segment begins here, by its header. */
  boolean continuesIn(SegmentHeader header) {
    return hasMark() && header.first() == sequence && header.chain() == link;
  }

  /** What a replica says of it. */
  JournalPosition position(SegmentHeader of) {
    return new JournalPosition(
        of.epoch(),
        of.ordinal(),
        of.identity(JournalLayout.MAGIC),
        of.size(),
        offset,
        sequence,
        chain,
        link);
  }
}
