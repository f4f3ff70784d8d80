package io.everheap.journal;

import io.everheap.error.ReplicationException;
import io.everheap.journal.replica.JournalParts;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.log.Terms;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes the segments of a replica: the same bytes at the same places as the primary's. The order
 * of the writes is that of a journal that is appended to, so a recovery of it is the same.
 *
 * <p>One thing differs. A record of the primary can say that everything before a position was
 * durable when it was made; here, both arrive together, and may be stored in any order. So before
 * such a piece is written, {@link ReplicaFile} says where it begins and ends.
 *
 * <p>What is torn behind the end is overwritten with zeros before anything is written there: other
 * records may follow, and then it must not be taken for theirs.
 */
final class SegmentReceiver implements JournalTarget {
  private final Medium medium;
  private @Nullable StateFile state;
  private ReplicaFile replica;
  private final List<Segment> live = new ArrayList<>();
  private @Nullable ReceivedFile file; // of the newest segment
  private ReceivedEnd end = new ReceivedEnd(0, 0, 0, 0, 0); // of the newest segment
  private boolean settled;
  private @Nullable ArrivingPiece piece;

  SegmentReceiver(Medium medium) {
    this.medium = medium;
    medium.syncDirectory(""); // a killed process may have left names that are not durable
    this.replica = ReplicaFile.open(medium).identified(UUID.randomUUID().getMostSignificantBits());
    if (StateFile.isThere(medium)) {
      state = StateFile.open(medium);
    } else {
      StateFile.requireNotForeign(medium);
    }
  }

  @Override
  public @Nullable UUID uuid() {
    StateFile known = state;
    return known == null ? null : known.state().uuid();
  }

  @Override
  public long term() {
    return replica.term();
  }

  @Override
  public long id() {
    return replica.id();
  }

  @Override
  public boolean encrypted() {
    return medium.encrypted();
  }

  @Override
  public String location() {
    return medium.location();
  }

  @Override
  public JournalPosition settle() {
    settled = false;
    piece = null;
    closeFile();
    live.clear();
    StateFile known = state;
    if (known == null) {
      return JournalPosition.NONE;
    }
    JournalRecovery.Found found = JournalRecovery.read(medium, known.state());
    live.addAll(found.live());
    if (!known.state().clean()) {
      for (int i = live.size() - found.scanned(); i < live.size(); i++) {
        Opening.persist(medium, live.get(i));
      }
    }
    known.write( // what is read here may not be durable either
        known.state().reopened(found.nextSequence()));
    found.unused().forEach(medium::delete);
    findEnd(found.nextSequence(), found.chain());
    settled = true;
    return live.isEmpty() ? JournalPosition.NONE : end.position(live.getLast().header());
  }

  /** Looks for the mark of the end, and overwrites what is torn behind. */
  private void findEnd(long sequence, int chain) {
    if (live.isEmpty()) {
      end = new ReceivedEnd(0, sequence, chain, 0, chain);
      return;
    }
    Segment newest = live.getLast();
    end = ReceivedEnd.find(newest, newest.endOffset(), sequence, chain);
    file().eraseFrom(end.behind(), newest.header().size());
  }

  @Override
  public long durable() {
    StateFile known = state;
    if (live.isEmpty()) { // what was before is released
      return known == null
          ? 0
          : RecordLayout.position(known.state().firstOrdinal(), SegmentLayout.START);
    }
    return RecordLayout.position(live.getLast().ordinal(), end.behind());
  }

  @Override
  public void follow(long newTerm, UUID journal, long oldest, int segmentSize) {
    JournalState initial = JournalState.initial(journal, oldest, segmentSize);
    if (JournalState.decode(initial.encode()) == null) {
      throw wrong("a start that no journal has");
    }
    long known = replica.term();
    Terms.requireCredible(state == null ? Math.max(known, newTerm) : known, newTerm);
    if (!replica.replica() || newTerm > known) {
      ReplicaFile next = replica.as(true, Math.max(newTerm, known));
      next.write(medium); // first: what is no replica can be appended to
      replica = next;
    }
    if (state == null) {
      state = StateFile.create(medium, initial);
      settle();
    }
  }

  @Override
  public void accept(byte[] part) {
    ByteBuffer b = ByteBuffer.wrap(part);
    if (!settled) {
      throw new IllegalStateException("not settled");
    }
    settled = false; // until all of it is stored
    switch (b.hasRemaining() ? b.get() : 0) {
      case JournalParts.RELEASED -> release(require(b, 16).getLong(), b.getLong());
      case JournalParts.SEGMENT -> begin(require(b, SegmentLayout.HEADER_SIZE), false);
      case JournalParts.OLDEST -> begin(require(b, SegmentLayout.HEADER_SIZE), true);
      case JournalParts.PIECE -> begin(require(b, 12).getLong(), b.getInt(), b);
      case JournalParts.BYTES -> add(b);
      default -> throw wrong("a part of an unknown kind");
    }
    settled = true;
  }

  private ByteBuffer require(ByteBuffer b, int bytes) {
    if (b.remaining() < bytes) {
      throw wrong("a part that is too short");
    }
    return b;
  }

  private ReplicationException wrong(String what) {
    return new ReplicationException(
        "The replica in " + medium.location() + " got " + what + " from its primary.");
  }

  /** Writes a state made of numbers of the primary, unless no journal can have them. */
  private void write(StateFile known, JournalState next) {
    if (JournalState.decode(next.encode()) == null) {
      throw wrong("numbers that no journal has");
    }
    known.write(next);
  }

  private StateFile state() {
    StateFile known = state;
    if (known == null) {
      throw wrong("records before it followed");
    }
    return known;
  }

  // Segments.

  private void begin(ByteBuffer encoded, boolean oldest) {
    SegmentHeader header =
        SegmentHeader.decode(encoded.slice().order(ByteOrder.LITTLE_ENDIAN), JournalLayout.MAGIC);
    StateFile known = state();
    if (header == null
        || header.version() != JournalLayout.FORMAT_VERSION
        || !header.uuid().equals(known.state().uuid())
        || !JournalLayout.plausible(header, SegmentLayout.name(header.ordinal()), header.size())
        || (!live.isEmpty() && header.ordinal() <= live.getLast().ordinal())) {
      throw wrong("the header of a segment that is none of its journal");
    }
    boolean same = !live.isEmpty() && header.epoch() == live.getLast().header().epoch();
    if (same && header.previous() == live.getLast().ordinal() && end.continuesIn(header)) {
      live.getLast().end(end.sequence(), end.offset());
      create(header);
    } else if (same && !oldest) {
      throw wrong("a segment that does not follow the one before");
    } else {
      beginEpoch(known, header, oldest);
    }
    end = ReceivedEnd.empty(header);
  }

  /**
   * Begins an epoch, perhaps behind an earlier record: the durable header cuts off the others.
   *
   * @param oldest whether the primary has nothing before
   */
  private void beginEpoch(StateFile known, SegmentHeader header, boolean oldest) {
    int kept = live.isEmpty() ? 0 : requireKept(header, oldest) + 1;
    JournalState before = known.state();
    long first = Math.max(header.first(), before.firstSequence());
    write(
        known, // once: a crash must not leave an end that is behind what is kept
        kept == 0
            ? before.takenAnew(header.epoch(), header.ordinal(), first)
            : before.taken(header.epoch(), header.ordinal(), header.first(), before.segmentSize()));
    List<Segment> gone = new ArrayList<>(live.subList(kept, live.size()));
    live.subList(kept, live.size()).clear();
    create(header);
    write(known, known.state().begun(first));
    gone.forEach(segment -> medium.delete(segment.name()));
  }

  /** The index of the segment that an epoch continues; -1 if it continues none. */
  private int requireKept(SegmentHeader header, boolean oldest) {
    if (header.epoch() < live.getLast().header().epoch() || header.first() > end.sequence()) {
      throw wrong("a segment that does not follow its records");
    }
    if (oldest) {
      return -1; // the feed compared the place of this replica with the primary's history
    }
    int kept = live.size() - 1;
    while (kept >= 0 && live.get(kept).ordinal() > header.previous()) {
      kept--;
    }
    Segment last = live.get(Math.max(kept, 0));
    if (last.ordinal() != header.previous()) {
      throw wrong("a segment that does not follow its records");
    }
    long[] at = last.endOf(header.first());
    ReceivedEnd before = ReceivedEnd.find(last, at[0], header.first(), (int) at[1]);
    if (header.chain() != before.chain() && header.chain() != before.link()) {
      throw wrong("a segment that does not follow its records");
    }
    last.end(header.first(), before.offset());
    return kept;
  }

  private void create(SegmentHeader header) {
    closeFile();
    file = ReceivedFile.create(medium, header);
    live.add(new Segment(medium, header));
  }

  // Records.

  private void begin(long at, int length, ByteBuffer bytes) {
    if (piece != null
        || live.isEmpty()
        || at != end.offset()
        || length <= 0
        || length > live.getLast().header().size() - at) {
      throw wrong("records that do not follow those before");
    }
    piece = new ArrivingPiece(at, length);
    add(bytes);
  }

  private void add(ByteBuffer bytes) {
    ArrivingPiece arriving = piece;
    if (arriving == null || !arriving.add(bytes)) {
      throw wrong("more bytes than it said");
    }
    if (arriving.isWhole()) {
      piece = null;
      store(arriving);
    }
  }

  /** Stores a piece durably, if it consists of records that follow those before. */
  private void store(ArrivingPiece whole) {
    SegmentHeader header = live.getLast().header();
    ArrivingPiece.Checked checked = whole.check(header, end);
    if (checked == null) {
      throw wrong("records that do not validate");
    }
    if (!checked.inOrder()) {
      long from = RecordLayout.position(header.ordinal(), whole.start());
      long to = RecordLayout.position(header.ordinal(), checked.end().behind());
      ReplicaFile next = replica.writing(from, to);
      next.write(medium);
      replica = next;
    }
    file().store(whole.bytes(), whole.start());
    end = checked.end();
  }

  private ReceivedFile file() {
    ReceivedFile open = file;
    if (open == null) {
      open = ReceivedFile.open(medium, live.getLast().header());
      file = open;
    }
    return open;
  }

  private void release(long first, long ordinal) {
    StateFile known = state();
    int keep = 0;
    while (keep < live.size() && live.get(keep).ordinal() < ordinal) {
      keep++;
    }
    if (first <= known.state().firstSequence()) {
      return;
    }
    if (keep == live.size() || live.get(keep).firstSequence() > first || first > end.sequence()) {
      throw wrong("a release of records that it has not");
    }
    write(known, known.state().releasedBefore(first, ordinal));
    List<Segment> gone = live.subList(0, keep);
    gone.forEach(segment -> medium.delete(segment.name()));
    gone.clear();
  }

  // The end.

  @Override
  public long promote() {
    settle();
    if (state == null || !replica.replica()) {
      throw new ReplicationException(
          "There is no replica of a journal in " + medium.location() + " that can be promoted.");
    }
    ReplicaFile next = replica.as(false, Terms.next(replica.term()));
    next.write(medium);
    replica = next;
    return next.term();
  }

  private void closeFile() {
    ReceivedFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    StateFile known = state;
    boolean whole = settled;
    settled = false; // a second close writes nothing
    Closing closing = new Closing().then(this::closeFile);
    if (known != null && whole) {
      closing.then(() -> known.write(known.state().closed(end.sequence())));
    }
    closing.then(medium::close).end();
  }
}
