package io.everheap.journal;

import io.everheap.error.ReplicationException;
import io.everheap.journal.replica.JournalParts;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.log.SegmentFactory;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
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
  private @Nullable MediumFile file; // of the newest segment
  private long offset; // behind its last record
  private long sequence;
  private int chain;
  private long endMark; // offset behind the mark of its end; 0 without one
  private int link;
  private boolean settled;
  private @Nullable ByteBuffer piece; // that arrives; its bytes from START on
  private long pieceStart;

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
    sequence = found.nextSequence();
    known.write(known.state().reopened(sequence)); // what is read here may not be durable either
    found.unused().forEach(medium::delete);
    chain = found.chain();
    findEnd();
    settled = true;
    return position();
  }

  /** Looks for the mark of the end, and overwrites what is torn behind. */
  private void findEnd() {
    endMark = 0;
    link = chain;
    if (live.isEmpty()) {
      return;
    }
    Segment newest = live.getLast();
    offset = newest.endOffset();
    if (!newest.pin()) {
      throw new IllegalStateException(newest + " was released");
    }
    try {
      ByteBuffer bytes = newest.view();
      look(new RecordScanner(bytes, newest.header()), offset);
      eraseFrom(newest, bytes, Math.max(offset, endMark));
    } finally {
      newest.unpin();
    }
  }

  /** Whether the mark of the end follows the last record at an offset of the bytes. */
  private boolean look(RecordScanner records, long at) {
    boolean there = records.follows(at, sequence, chain) && records.has(RecordLayout.END);
    endMark = there ? offset + records.next() - at : 0;
    link = there ? records.checksum() : chain;
    return there;
  }

  private void eraseFrom(Segment segment, ByteBuffer bytes, long from) {
    try (MediumFile target = medium.open(segment.name())) {
      boolean erased = false;
      for (long at = from; at < bytes.limit(); ) {
        int length = (int) (SegmentLayout.BLOCK - at % SegmentLayout.BLOCK);
        ByteBuffer block = bytes.slice((int) at, Math.min(length, bytes.limit() - (int) at));
        ByteBuffer zeros = ByteBuffer.allocate(block.remaining());
        if (!block.equals(zeros)) {
          target.write(zeros, at);
          erased = true;
        }
        at += length;
      }
      if (erased) {
        target.sync();
      }
    }
  }

  private JournalPosition position() {
    if (live.isEmpty()) {
      return JournalPosition.NONE;
    }
    SegmentHeader newest = live.getLast().header();
    return new JournalPosition(
        newest.epoch(),
        newest.ordinal(),
        newest.identity(JournalLayout.MAGIC),
        newest.size(),
        offset,
        sequence,
        chain,
        link);
  }

  @Override
  public long durable() {
    StateFile known = state;
    if (live.isEmpty()) { // what was before is released
      return known == null
          ? 0
          : RecordLayout.position(known.state().firstOrdinal(), SegmentLayout.START);
    }
    return RecordLayout.position(live.getLast().ordinal(), Math.max(offset, endMark));
  }

  @Override
  public void follow(long newTerm, UUID journal, long oldest, int segmentSize) {
    JournalState initial = JournalState.initial(journal, oldest, segmentSize);
    if (JournalState.decode(initial.encode()) == null) {
      throw wrong("a start that no journal has");
    }
    if (!replica.replica() || newTerm > replica.term()) {
      ReplicaFile next = replica.as(true, Math.max(newTerm, replica.term()));
      next.write(medium); // first: what is no replica can be appended to
      replica = next;
    }
    StateFile known = state;
    if (known == null) {
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
    if (same && isNext(header)) {
      live.getLast().end(sequence, offset);
      create(header);
    } else if (same && !oldest) {
      throw wrong("a segment that does not follow the one before");
    } else {
      beginEpoch(known, header, oldest);
    }
    chain = header.chain();
    link = chain;
    sequence = header.first();
    offset = SegmentLayout.START;
    endMark = 0;
  }

  private boolean isNext(SegmentHeader header) {
    return endMark != 0
        && header.previous() == live.getLast().ordinal()
        && header.first() == sequence
        && header.chain() == link;
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
    known.write( // once: a crash must not leave an end that is behind what is kept
        kept == 0
            ? before.takenAnew(header.epoch(), header.ordinal(), first)
            : before.taken(header.epoch(), header.ordinal(), header.first(), before.segmentSize()));
    List<Segment> gone = new ArrayList<>(live.subList(kept, live.size()));
    live.subList(kept, live.size()).clear();
    create(header);
    known.write(known.state().begun(first));
    gone.forEach(segment -> medium.delete(segment.name()));
  }

  /** The index of the segment that an epoch continues; -1 if it continues none. */
  private int requireKept(SegmentHeader header, boolean oldest) {
    if (header.epoch() < live.getLast().header().epoch() || header.first() > sequence) {
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
    long[] end = last.endOf(header.first());
    if (header.chain() != (int) end[1] && header.chain() != mark(last, header.first(), end)) {
      throw wrong("a segment that does not follow its records");
    }
    last.end(header.first(), end[0]);
    return kept;
  }

  /** The crc of the mark that ends a segment, if there is one behind its last record. */
  private static int mark(Segment last, long next, long[] end) {
    if (!last.pin()) {
      throw new IllegalStateException(last + " was released");
    }
    try {
      RecordScanner records = new RecordScanner(last.view(), last.header());
      boolean there = records.follows(end[0], next, (int) end[1]);
      return there && records.has(RecordLayout.END) ? records.checksum() : (int) end[1];
    } finally {
      last.unpin();
    }
  }

  /**
   * Makes a file full of zeros, which has its space before its name, and that before its header.
   */
  private void create(SegmentHeader header) {
    closeFile();
    Segment segment = new Segment(medium, header);
    if (medium.exists(segment.name())) {
      medium.delete(segment.name());
    }
    SegmentFactory.fill(medium, JournalLayout.TEMPORARY, header.size());
    medium.rename(JournalLayout.TEMPORARY, segment.name());
    medium.syncDirectory("");
    MediumFile named = medium.open(segment.name());
    try {
      ByteBuffer block = ByteBuffer.allocate(SegmentLayout.START);
      block.put(0, header.encode(JournalLayout.MAGIC), 0, SegmentLayout.HEADER_SIZE);
      named.write(block, 0);
      named.sync();
    } catch (Throwable t) {
      Closing.after(t, named::close);
      throw t;
    }
    file = named;
    live.add(segment);
  }

  // Records.

  private void begin(long at, int length, ByteBuffer bytes) {
    if (piece != null
        || live.isEmpty()
        || at != offset
        || length <= 0
        || length > live.getLast().header().size() - at) {
      throw wrong("records that do not follow those before");
    }
    pieceStart = at;
    piece = ByteBuffer.allocate(SegmentLayout.START + length).order(ByteOrder.LITTLE_ENDIAN);
    piece.position(SegmentLayout.START);
    add(bytes);
  }

  private void add(ByteBuffer bytes) {
    ByteBuffer arriving = piece;
    if (arriving == null || bytes.remaining() > arriving.remaining()) {
      throw wrong("more bytes than it said");
    }
    arriving.put(bytes);
    if (!arriving.hasRemaining()) {
      piece = null;
      store(arriving);
    }
  }

  /** Stores a piece durably, if it consists of records that follow those before. */
  private void store(ByteBuffer bytes) {
    Segment newest = live.getLast();
    SegmentHeader header = newest.header();
    long shift = pieceStart - SegmentLayout.START;
    RecordScanner records = new RecordScanner(bytes, header, shift);
    long from = RecordLayout.position(newest.ordinal(), pieceStart);
    long at = SegmentLayout.START;
    boolean inOrder = true;
    boolean whole = true;
    long s = sequence;
    int crc = chain;
    while (at < bytes.limit() && records.follows(at, s, crc) && !records.has(RecordLayout.END)) {
      inOrder &=
          records.durable(at) <= from
              && (at == SegmentLayout.START
                  || !JournalLayout.isDirect(header)
                  || !records.has(RecordLayout.FIRST));
      crc = records.checksum();
      at = records.next();
      s++;
      whole = records.has(RecordLayout.LAST);
    }
    boolean mark = records.follows(at, s, crc) && records.has(RecordLayout.END);
    long behind = mark ? records.next() : at;
    if (!whole || behind != bytes.limit()) {
      throw wrong("records that do not validate");
    }
    if (!inOrder || (mark && JournalLayout.isDirect(header))) {
      long to = RecordLayout.position(newest.ordinal(), behind + shift);
      ReplicaFile next = replica.writing(from, to);
      next.write(medium);
      replica = next;
    }
    MediumFile target = file();
    target.write(bytes.position(SegmentLayout.START), pieceStart);
    target.sync();
    link = mark ? records.checksum() : crc;
    endMark = mark ? behind + shift : 0;
    offset = at + shift;
    sequence = s;
    chain = crc;
  }

  private MediumFile file() {
    MediumFile open = file;
    if (open == null) {
      open = medium.open(live.getLast().name());
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
    if (keep == live.size() || live.get(keep).firstSequence() > first || first > sequence) {
      throw wrong("a release of records that it has not");
    }
    known.write(known.state().releasedBefore(first, ordinal));
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
    ReplicaFile next = replica.as(false, replica.term() + 1);
    next.write(medium);
    replica = next;
    return next.term();
  }

  private void closeFile() {
    MediumFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    StateFile known = state;
    Closing closing = new Closing().then(this::closeFile);
    if (known != null && settled) {
      closing.then(() -> known.write(known.state().closed(sequence)));
    }
    closing.then(medium::close).end();
  }
}
