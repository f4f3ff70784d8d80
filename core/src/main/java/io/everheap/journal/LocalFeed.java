package io.everheap.journal;

import io.everheap.error.CorruptException;
import io.everheap.error.ReplicationException;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalParts;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.MappedFaults;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the durable records of a journal in their order, while others append, release and cut. The
 * segment in which it is stays as it is until all of it was read; nothing else is kept for it.
 *
 * <p>Each record is validated with the one before it. Nothing behind the durable position is read,
 * so that whoever follows never has what this journal could lose.
 */
final class LocalFeed implements JournalFeed {
  private static final int PIECE = 1 << 20;
  private static final byte[] NOTHING = {};

  private final LocalSource source;
  private @Nullable Segment segment; // pinned
  private long ordinal; // of the segment, or of the one before the next
  private long offset;
  private long sequence;
  private int chain;
  private boolean ended;
  private long released; // what the replica knows
  private long sent; // bytes of the piece
  private long pieceEnd; // offset behind the piece that is being sent, or 0
  private boolean started; // a part of the piece was sent

  private LocalFeed(LocalSource source) {
    this.source = source;
  }

  /** Continues behind a position; throws if that is none of this journal. */
  static LocalFeed open(LocalSource source, JournalPosition at) {
    LocalFeed feed = new LocalFeed(source);
    try {
      feed.seek(at);
      return feed;
    } catch (RuntimeException | Error e) {
      feed.close();
      throw e;
    }
  }

  private void seek(JournalPosition at) {
    ordinal = at.ordinal();
    sequence = at.sequence();
    if (ordinal == 0) {
      sequence = Long.MAX_VALUE; // from the oldest segment on
      return;
    }
    for (Segment each : source.segments()) {
      if (each.ordinal() == ordinal) {
        require(isSame(each.header(), at) && each.pin(), at);
        segment = each;
        require(isAt(each, at), at);
        offset = at.offset();
        chain = at.chain();
        return;
      }
      if (each.ordinal() > ordinal) { // that segment was released, or had no records
        int before = each.header().chain();
        boolean same = before == at.chain() || before == at.link();
        require(each.firstSequence() == sequence && same, at);
        return;
      }
    }
    require(false, at);
  }

  /** Whether a replica's segment is this one, and has room for all of it. */
  private static boolean isSame(SegmentHeader header, JournalPosition at) {
    return header.epoch() == at.epoch()
        && header.identity(JournalLayout.MAGIC) == at.header()
        && header.size() <= at.size();
  }

  private static boolean isAt(Segment segment, JournalPosition at) {
    RecordScanner records = new RecordScanner(segment.view(), segment.header());
    long place = SegmentLayout.START;
    int crc = segment.header().chain();
    for (long s = segment.firstSequence(); s < at.sequence(); s++) {
      if (!records.follows(place, s, crc)) {
        return false;
      }
      crc = records.checksum();
      place = records.next();
    }
    return place == at.offset() && crc == at.chain();
  }

  private void require(boolean there, JournalPosition at) {
    if (!there && at.sequence() < source.first()) {
      throw gone(at.sequence());
    }
    if (!there) {
      throw new ReplicationException(
          "The journal does not go on from record "
              + at.sequence()
              + " as the replica knows it: it has other records before, or another segment there."
              + " The replica must be made anew.");
    }
  }

  @Override
  public byte[] next() {
    try {
      byte[] part = read();
      MappedFaults.arrive(); // before the part is sent
      return part;
    } catch (IllegalStateException e) {
      source.check(); // a close unmaps the memory
      throw e;
    } catch (InternalError e) {
      Segment in = segment;
      if (in == null || !MappedFaults.isFault(e)) {
        throw e;
      }
      throw in.unreadable(offset);
    }
  }

  private byte[] read() {
    source.check();
    long end = source.writer().durablePosition(); // first: the segments up to it are there then
    Segment current = segment;
    if (current != null && pieceEnd > 0) {
      return more(current);
    }
    byte[] release = release();
    if (release.length > 0) {
      return release;
    }
    Segment following = following();
    boolean complete = following != null && RecordLayout.ordinal(end) >= following.ordinal();
    if (current != null && !ended) {
      long until = complete && following != null ? following.firstSequence() : Long.MAX_VALUE;
      byte[] piece = piece(current, complete ? Segment.OPEN : limit(end), until, complete);
      if (piece.length > 0) {
        return piece;
      }
    }
    if (complete && following != null) {
      return begin(following);
    }
    return NOTHING;
  }

  private long limit(long end) {
    return RecordLayout.ordinal(end) == ordinal ? RecordLayout.offset(end) : 0;
  }

  /** The next segment; null if there is none. */
  private @Nullable Segment following() {
    for (Segment each : source.segments()) {
      if (each.ordinal() > ordinal) {
        return each;
      }
    }
    return null;
  }

  private byte[] begin(Segment next) {
    long from = next.firstSequence();
    if (sequence < from) {
      source.check();
      throw gone(sequence);
    }
    if (!next.pin()) { // it was released or cut off since
      source.check();
      return NOTHING;
    }
    leave();
    segment = next;
    ordinal = next.ordinal();
    offset = SegmentLayout.START;
    sequence = from;
    chain = next.header().chain();
    ended = false;
    Segment[] all = source.segments(); // none while all are cut off
    boolean oldest = all.length == 0 || all[0].ordinal() >= ordinal;
    byte[] part =
        part(oldest ? JournalParts.OLDEST : JournalParts.SEGMENT, SegmentLayout.HEADER_SIZE);
    next.header().encode(JournalLayout.MAGIC).get(0, part, 1, SegmentLayout.HEADER_SIZE);
    return part;
  }

  private ReplicationException gone(long from) {
    return new ReplicationException(
        "Records "
            + from
            + " to "
            + (source.first() - 1)
            + " were released before the replica had them. It must be made anew.");
  }

  /**
   * Whole batches up to an offset and a sequence. The mark of the end goes with them if it is
   * there, also before another epoch, whose first header may name its crc.
   */
  private byte[] piece(Segment in, long limit, long until, boolean mark) {
    RecordScanner records = new RecordScanner(in.view(), in.header());
    long at = offset;
    long s = sequence;
    int crc = chain;
    int cuts = source.cuts();
    while (at < limit && s < until && at - offset < PIECE) {
      do {
        if (!records.follows(at, s, crc) || records.has(RecordLayout.END)) {
          if (s < source.first()) {
            throw gone(s);
          }
          if (source.cuts() != cuts) {
            return NOTHING; // the next look finds where it goes on
          }
          throw CorruptException.journal(in.path(), at, "record " + s + " does not validate");
        }
        crc = records.checksum();
        at = records.next();
        s++;
      } while (!records.has(RecordLayout.LAST));
    }
    long behind = at;
    if (mark && s == until && records.follows(at, s, crc) && records.has(RecordLayout.END)) {
      behind = records.next();
      ended = true;
    }
    if (behind == offset) {
      return NOTHING;
    }
    sent = offset;
    pieceEnd = behind;
    offset = at;
    sequence = s;
    chain = crc;
    return more(in);
  }

  /** The piece, or the rest of it, up to some size. */
  private byte[] more(Segment in) {
    int length = (int) Math.min(PIECE, pieceEnd - sent);
    int head = started ? 0 : 12;
    byte[] part = part(started ? JournalParts.BYTES : JournalParts.PIECE, head + length);
    if (!started) {
      ByteBuffer.wrap(part, 1, head).putLong(sent).putInt((int) (pieceEnd - sent));
    }
    in.view().get((int) sent, part, 1 + head, length);
    sent += length;
    started = sent < pieceEnd;
    pieceEnd = started ? pieceEnd : 0;
    return part;
  }

  /** What was released of the records that the replica has. */
  private byte[] release() {
    JournalState state = source.state();
    if (state.firstSequence() <= released
        || state.firstSequence() > sequence
        || state.firstOrdinal() > ordinal
        || segment == null) {
      return NOTHING;
    }
    released = state.firstSequence();
    byte[] part = part(JournalParts.RELEASED, 16);
    ByteBuffer.wrap(part, 1, 16).putLong(released).putLong(state.firstOrdinal());
    return part;
  }

  private static byte[] part(byte kind, int length) {
    byte[] part = new byte[1 + length];
    part[0] = kind;
    return part;
  }

  private void leave() {
    Segment old = segment;
    segment = null;
    if (old != null) {
      old.unpin();
    }
  }

  @Override
  public void close() {
    leave();
  }
}
