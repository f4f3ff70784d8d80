package io.everheap.journal;

import org.jspecify.annotations.Nullable;

/**
 * The end of a journal that another process may be appending to: sees a record when it is complete,
 * by its checksum. Used by one thread at a time.
 */
final class WatchedTail implements AutoCloseable {
  /** How much of an encrypted segment to read when nothing more is known of its next record. */
  private static final int AHEAD = 16 << 10;

  private @Nullable Segment segment;
  private @Nullable RecordScanner scanner;
  private long offset;
  private long sequence;
  private int chain;
  private boolean ended;

  /** The newest segment, pinned; null before the first one is known. */
  @Nullable Segment segment() {
    return segment;
  }

  /** The ordinal of the newest segment, or 0. */
  long ordinal() {
    Segment known = segment;
    return known == null ? 0 : known.ordinal();
  }

  /** Whether the segment has the mark that the journal continues in another one. */
  boolean ended() {
    return ended;
  }

  /**
   * Reads on while records are complete; returns the sequence behind the last one, or {@code from}.
   */
  long readOn(long from) {
    RecordScanner records = scanner;
    if (records == null || ended) {
      return from;
    }
    long at = offset;
    long number = sequence;
    int crc = chain;
    while (follows(records, at, number, crc)) {
      crc = records.checksum();
      if (records.has(RecordLayout.END)) {
        ended = true;
        break;
      }
      at = records.next();
      number++;
      if (records.has(RecordLayout.LAST)) {
        offset = at;
        sequence = number;
        chain = crc;
      }
    }
    return sequence;
  }

  /** Whether a record validates, in what is known of the segment or in what its file has now. */
  private boolean follows(RecordScanner records, long at, long number, int crc) {
    if (records.follows(at, number, crc)) {
      return true;
    }
    Segment known = segment;
    if (known == null || !known.isCopy()) {
      return false;
    }
    known.reload(at, at + AHEAD);
    if (records.plausible(at, number) && records.next() > at + AHEAD) {
      known.reload(at, records.next());
    }
    return records.follows(at, number, crc);
  }

  /** Continues at another place. */
  void continueAt(long nextSequence, int crc) {
    sequence = nextSequence;
    chain = crc;
    ended = false;
  }

  /** Continues in a segment, which is pinned here already or can be. */
  void follow(Segment end, long endOffset) {
    Segment before = segment;
    if (before != null) {
      before.reload(offset, before.header().size()); // readers may have it, and go on there
    }
    if (end != before) {
      if (!end.pin()) {
        throw new IllegalStateException(end + " was released");
      }
      segment = end;
      scanner = new RecordScanner(end.view(), end.header());
      if (before != null) {
        before.unpin();
      }
    }
    end.end(Segment.OPEN, Segment.OPEN);
    offset = endOffset;
  }

  @Override
  public void close() {
    Segment last = segment;
    segment = null;
    scanner = null;
    if (last != null) {
      last.unpin();
    }
  }
}
