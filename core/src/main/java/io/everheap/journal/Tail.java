package io.everheap.journal;

import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.BriefLock;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Medium;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.UUID;

/**
 * The end of a journal that this process appends to: where the next record goes, and what it
 * follows.
 *
 * <h2>Two ends</h2>
 *
 * Records are sealed one behind the other from the published end on; {@link #publish} moves that
 * end behind them. A failure before leaves the published end where it was. An append stores its
 * {@link #state} before it calls anything, so that an error of the virtual machine cannot hide how
 * far the append got.
 *
 * <h2>Tickets</h2>
 *
 * The group commit counts tickets, which only ascend, while sequences go back when the journal is
 * cut: a ticket is a sequence plus all that was cut. A thread without the append lock cannot read
 * both at once, so it never waits for a ticket above those that were given.
 *
 * <pre>
 *   field                    mode                      guard
 *   next, endPosition,
 *   tickets                  release / acquire         the append lock
 *   visible                  release / acquire         the append lock; if BUFFERED, the leader
 *   durablePosition          volatile                  the leader
 *   cut                      volatile                  the append lock
 *   others                   plain                     the append lock
 * </pre>
 */
final class Tail {
  private static final VarHandle NEXT;
  private static final VarHandle VISIBLE;
  private static final VarHandle END_POSITION;
  private static final VarHandle TICKETS;
  private static final byte[] NOTHING = new byte[0];

  /**
   * It sealed records and did not move the published end; {@link #reset} must precede the next
   * append.
   */
  static final int SEALING = 1;

  /**
   * The published end moved; if the append failed, some threads may see it moved and others not.
   */
  static final int PUBLISHING = 2;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NEXT = lookup.findVarHandle(Tail.class, "next", long.class);
      VISIBLE = lookup.findVarHandle(Tail.class, "visible", long.class);
      END_POSITION = lookup.findVarHandle(Tail.class, "endPosition", long.class);
      TICKETS = lookup.findVarHandle(Tail.class, "tickets", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Medium medium;
  private final JournalOptions options;
  private final Mode mode;
  private final boolean direct;
  private final boolean waits;
  private final int timeFlag;
  private final UUID uuid;
  private final Segments segments;

  private long epoch;
  private RecordSealer sealer;
  private OpenSegment current;
  private long lastTime;

  // The published end; stated is the durable position in the last record that contains one.
  private long offset;
  private int chain;
  private long stated;
  private long next;

  // Behind the records that are being appended.
  private long newOffset;
  private int newChain;
  private long newStated;
  private long newNext;

  /** What the last append did: {@link #SEALING}, or {@link #PUBLISHING}. */
  int state = PUBLISHING;

  @SuppressWarnings("UnusedVariable") // loaded through its handle
  private long visible;

  @SuppressWarnings("UnusedVariable") // loaded through its handle
  private long endPosition;

  private long
      tickets; // given so far; stored after endPosition, so that their records end before it
  private volatile long durablePosition;
  private volatile long cut; // tickets minus sequences

  /**
   * Begins an epoch behind what was recovered, all of which is durable.
   *
   * @param first receives the next record; its header is durable on return
   * @param previous ordinal of the segment before it
   * @param nextSequence of the next record
   * @param chain crc of the record before it
   * @param time of the record or segment before it: times of records do not go back
   */
  Tail(
      Medium medium,
      JournalOptions options,
      JournalState state,
      Segments segments,
      OpenSegment first,
      long previous,
      long nextSequence,
      int chain,
      long time) {
    this.medium = medium;
    this.options = options;
    this.mode = options.mode(medium);
    this.direct = mode == Mode.DIRECT;
    this.waits = mode.waits();
    this.timeFlag = options.timestamps() ? RecordLayout.TIME : 0;
    this.uuid = state.uuid();
    this.epoch = state.epoch();
    this.segments = segments;
    this.next = nextSequence;
    this.visible = nextSequence;
    this.tickets = nextSequence;
    this.chain = chain;
    this.lastTime = time;
    this.sealer = new RecordSealer(uuid, epoch, mode.alignment());
    this.current = first;
    enter(first, previous);
    reset();
  }

  // Records.

  /** Most bytes that a record with such a payload takes. */
  long room(long payload) {
    return sealer.size(payload, RecordLayout.TIME | RecordLayout.DURABLE);
  }

  /** Whether so many bytes, and the mark of the segment's end, fit behind the last record. */
  boolean fits(long room) {
    return offset + room + sealer.endSize() <= current.size();
  }

  /** Bytes of a segment in which they fit. */
  long segmentFor(long room) {
    return SegmentLayout.START + room + sealer.endSize();
  }

  /** Goes back to the published end. */
  void reset() {
    newOffset = offset;
    newChain = chain;
    newStated = stated;
    newNext = next;
  }

  /** The position of the next record to be sealed. */
  private long place() {
    return RecordLayout.position(current.ordinal(), newOffset);
  }

  /**
   * Prepares the next record, which {@link #seal} stores.
   *
   * @param where it is in its batch: FIRST, LAST, both or neither
   */
  void put(int where, byte[] payload, int from, int length) {
    sealer.put(optional(where), newNext, payload, from, length);
  }

  /** The same for other memory. */
  void put(int where, MemorySegment payload) {
    sealer.put(optional(where), newNext, payload);
  }

  /** The same for a record that was claimed. */
  void put(Claim claim) {
    sealer.putInPlace(claim.flags(), newNext, claim.memory());
  }

  /** Stores the record behind those that were sealed. */
  void seal() {
    newOffset += sealer.seal(current.target(), place(), newChain);
    newChain = sealer.checksum();
    newStated = sealer.durable();
    newNext++;
  }

  /** The place of the next record, to be filled before it is sealed. */
  Claim claim(int length, Claim.Owner owner, BriefLock lock) {
    if (state == SEALING) {
      reset();
    }
    int flags = optional(RecordLayout.FIRST | RecordLayout.LAST);
    long at = offset + RecordLayout.headerSize(flags);
    return new Claim(owner, lock, current.target().claim(at, length), flags, at);
  }

  /** The memory of a claim is not stored to any more. */
  void endClaim(Claim claim) {
    current.target().claimed(claim.offset(), claim.memory().byteSize());
  }

  /** Decides which optional fields the next record has, and what they say. */
  private int optional(int where) {
    int flags = where | timeFlag;
    if (timeFlag != 0) {
      lastTime = options.clock().applyAsLong(newNext, lastTime);
    }
    if (!direct) {
      long durable = durablePosition;
      if (durable != newStated) {
        flags |= RecordLayout.DURABLE;
        sealer.stamp(lastTime, durable);
        return flags;
      }
    }
    sealer.stamp(lastTime, newStated);
    return flags;
  }

  /** Makes what was sealed durable, in the modes in which each append does so itself. */
  void force() {
    if (direct) {
      current.target().force(offset, newOffset - offset);
    }
  }

  /**
   * Moves the published end behind what was sealed.
   *
   * @throws InternalError if a page of the segment is gone, and a store to it was skipped
   */
  void publish() {
    MappedFaults.arrive(); // before anyone sees records that are not stored
    state = PUBLISHING;
    offset = newOffset;
    chain = newChain;
    stated = newStated;
    END_POSITION.setRelease(this, place());
    long added = newNext - next;
    NEXT.setRelease(this, newNext);
    TICKETS.setRelease(this, tickets + added);
    if (!waits) {
      VISIBLE.setRelease(this, newNext);
    }
  }

  // Segments.

  /** The segment that receives records. */
  OpenSegment current() {
    return current;
  }

  /** Ends the segment and continues in another one. */
  void roll(OpenSegment fresh) {
    medium.requireIntact();
    OpenSegment full = current;
    reset();
    sealer.put(RecordLayout.END, next, NOTHING, 0, 0);
    newOffset += sealer.seal(full.target(), place(), chain);
    force();
    full.segment().end(next, offset);
    chain = sealer.checksum();
    enter(fresh, full.ordinal());
    full.next(fresh);
    current = fresh;
    reset();
    publish();
  }

  /**
   * Continues behind an earlier record, in a new epoch. {@link #show} must follow.
   *
   * @param fresh the segment that receives the next record
   * @param newEpoch higher than all before
   * @param previous the segment of the record that stays the last one
   * @param sequence of the next record
   * @param crc of the record before it
   * @param beforeVisible runs before the header is written
   */
  void cut(
      OpenSegment fresh,
      long newEpoch,
      long previous,
      long sequence,
      int crc,
      Runnable beforeVisible) {
    long cutBefore = cut;
    cut = cutBefore + next - sequence;
    epoch = newEpoch;
    sealer = new RecordSealer(uuid, newEpoch, mode.alignment());
    chain = crc;
    next = sequence;
    durablePosition = 0;
    beforeVisible.run();
    enter(fresh, previous);
    current = fresh;
  }

  /** Shows readers the end behind a cut. */
  void show() {
    reset();
    publish();
    VISIBLE.setRelease(this, next);
  }

  /** Writes the header of a segment for the next record. */
  private void enter(OpenSegment fresh, long previous) {
    long begin = RecordLayout.position(fresh.ordinal(), SegmentLayout.START);
    boolean first = durablePosition == 0 || direct;
    lastTime = options.clock().applyAsLong(next, lastTime);
    SegmentHeader header =
        new SegmentHeader(
            JournalLayout.FORMAT_VERSION,
            mode.alignment(),
            uuid,
            epoch,
            fresh.ordinal(),
            previous,
            next,
            fresh.size(),
            lastTime,
            first ? begin : durablePosition,
            chain);
    segments.add(fresh.begin(medium, header));
    offset = SegmentLayout.START;
    if (first) {
      durablePosition = begin;
      stated = begin;
      END_POSITION.setRelease(this, begin);
    }
  }

  // Read by other threads.

  /** Everything before the end position is durable; by the leader. */
  void setDurable(long position, long ticket) {
    durablePosition = position;
    if (waits) {
      VISIBLE.setRelease(this, ticket - cut);
    }
  }

  /** The position behind the last record. */
  long endPosition() {
    return (long) END_POSITION.getAcquire(this);
  }

  /**
   * The position before which everything is durable, in the modes in which appends do not make
   * their records durable.
   */
  long durablePosition() {
    return durablePosition;
  }

  /** The tickets given so far. */
  long tickets() {
    return (long) TICKETS.getAcquire(this);
  }

  /** The same for the holder of the append lock. */
  long ticket() {
    return next + cut;
  }

  /** The ticket that is durable with a record; one that was given, also if the record was cut. */
  long ticket(long sequence) {
    return Math.min(sequence + 1 + cut, tickets());
  }

  /** The sequence of a ticket. */
  long sequence(long ticket) {
    return ticket - cut;
  }

  /** The sequence of the next record. */
  long next() {
    return (long) NEXT.getAcquire(this);
  }

  /** Records below can be read. */
  long visible() {
    return (long) VISIBLE.getAcquire(this);
  }

  /** Bytes of the mark that ends a segment. */
  int endSize() {
    return sealer.endSize();
  }
}
