package io.everheap.journal;

import io.everheap.error.CorruptException;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;

/**
 * Tells a torn tail from damage: looks behind a record that does not validate for a proof that it
 * had been durable.
 *
 * <p>Proofs are: the journal's state, if it says how far the journal reaches; a segment header or,
 * on files, a record behind it with a durable position behind it; on a byte-addressable medium, any
 * later record that begins a batch, for it was made after everything before was durable. A record
 * that a replica stored together with those before it proves nothing: {@link ReplicaFile}. Used by
 * one thread.
 */
final class TailCheck {
  /**
   * How often, at most, all bytes of a segment are read for checksums of what only looks like
   * records.
   */
  private static final long BUDGET = 4;

  private final JournalState state;
  private final ReplicaFile replica;
  private final Segment segment;
  private final RecordScanner scanner;
  private final long offset;
  private final long sequence;
  private final long position;

  /**
   * Prepares to check a place.
   *
   * @param replica what a replica wrote last, and not in order
   * @param scanner of the segment
   * @param offset in the segment where no record validates
   * @param sequence that it should have
   */
  TailCheck(
      JournalState state,
      ReplicaFile replica,
      Segment segment,
      RecordScanner scanner,
      long offset,
      long sequence) {
    this.state = state;
    this.replica = replica;
    this.segment = segment;
    this.scanner = scanner;
    this.offset = offset;
    this.sequence = sequence;
    this.position = RecordLayout.position(segment.ordinal(), offset);
  }

  /**
   * Throws if something is lost.
   *
   * @param end sequence behind the last complete record
   * @param later segments behind this one
   */
  void check(long end, List<Segment> later) {
    if (end < state.endSequence()) {
      throw damaged(
          String.format(
              Locale.ROOT,
              "record %d does not validate, though the journal had all below %d",
              sequence,
              state.endSequence()));
    }
    boolean provenHere = proves(scanner, offset + scanner.alignment(), segment.header());
    if (provenHere || later.stream().anyMatch(this::provenIn)) {
      throw damaged("record " + sequence + " does not validate, though it was durable");
    }
  }

  private CorruptException damaged(String what) {
    return CorruptException.journal(segment.path(), offset, what);
  }

  private boolean provenIn(Segment later) {
    SegmentHeader header = later.header();
    if (header.epoch() != segment.header().epoch() || header.durable() > position) {
      return true;
    }
    if (!later.pin()) {
      throw new IllegalStateException(later + " was released");
    }
    try {
      ByteBuffer bytes = later.view();
      return proves(new RecordScanner(bytes, header), SegmentLayout.START, header);
    } finally {
      later.unpin();
    }
  }

  /** Whether a record from some offset on proves it. */
  private boolean proves(RecordScanner records, long from, SegmentHeader header) {
    boolean direct = JournalLayout.isDirect(header);
    long budget = BUDGET * records.limit();
    int wanted = direct ? RecordLayout.FIRST | RecordLayout.END : RecordLayout.DURABLE;
    for (long at = from; at + RecordLayout.HEADER <= records.limit(); at += records.alignment()) {
      long likely = records.likely(at, wanted, sequence);
      if (likely < 0
          || !records.plausible(at, likely)
          || replica.provesNothing(RecordLayout.position(header.ordinal(), at), position)) {
        continue;
      }
      budget -= records.length();
      if (budget < 0) {
        return false; // hostile bytes, made to take long
      }
      if (records.at(at, likely) && (direct || records.durable(at) > position)) {
        return true;
      }
    }
    return false;
  }
}
