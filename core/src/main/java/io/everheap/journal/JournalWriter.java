package io.everheap.journal;

import io.everheap.error.EverheapException;
import io.everheap.error.JournalClosedException;
import io.everheap.error.JournalFailedException;
import io.everheap.error.MediumException;
import io.everheap.memory.Medium;
import io.everheap.memory.log.GroupCommit;
import io.everheap.memory.log.LogTimer;
import io.everheap.memory.log.SyncAge;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends records.
 *
 * <h2>Order</h2>
 *
 * Whoever holds the append lock stores a record behind the last one; on a byte-addressable medium
 * it forces it before it gives the lock up. On files, the record becomes durable with the next
 * write of the group commit, whose leader takes everything up to the end position it sees.
 *
 * <h2>Tickets</h2>
 *
 * The group commit counts tickets, which only ascend, while sequences go back when the journal is
 * cut: a ticket is a sequence plus all that was cut. Who has not got the append lock cannot read
 * both at once, so it waits for no ticket above those that were given.
 *
 * <h2>Failures</h2>
 *
 * What fails before the record counts, such as a full disk or the user's memory, leaves everything
 * as it was. What fails while something is made durable ends all appending.
 *
 * <p>An error of the virtual machine can strike at any call, also in a {@code finally}. So these
 * only store: to what the append changed, to the lock, and to {@link #broken} if the record may
 * count for some and not for others.
 *
 * <pre>
 *   field                    mode                      guard
 *   current, offset, chain   plain                     the append lock
 *   next, endPosition,
 *   tickets                  release / acquire         the append lock
 *   visible                  release / acquire         the append lock; if BUFFERED, the leader
 *   durablePosition          volatile                  the leader
 *   persister                plain                     the leader
 *   broken                   volatile                  the first cause stays, but for races
 * </pre>
 */
final class JournalWriter implements AutoCloseable {
  private static final VarHandle NEXT;
  private static final VarHandle VISIBLE;
  private static final VarHandle END_POSITION;
  private static final VarHandle TICKETS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NEXT = lookup.findVarHandle(JournalWriter.class, "next", long.class);
      VISIBLE = lookup.findVarHandle(JournalWriter.class, "visible", long.class);
      END_POSITION = lookup.findVarHandle(JournalWriter.class, "endPosition", long.class);
      TICKETS = lookup.findVarHandle(JournalWriter.class, "tickets", long.class);
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
  private final SegmentFiles files;
  final AppendLock lock = new AppendLock();
  private final Arrivals arrivals = new Arrivals();
  private final Refusals refusals;
  private final GroupCommit group;
  private final LogTimer timer;
  private final @Nullable SyncAge age;
  private final Runnable afterRoll;

  private long epoch;
  private RecordSealer sealer;
  private OpenSegment current;
  private long offset;
  private int chain;
  private long stated; // the durable position that the last record with one told
  private long lastTime;
  private volatile @Nullable Claim claimed;

  /** Why nothing can be appended any more, if it could only be stored; {@link #check} looks. */
  volatile @Nullable Throwable broken;

  private volatile boolean stopped;

  private long next;

  @SuppressWarnings("UnusedVariable") // loaded through its handle
  private long visible;

  @SuppressWarnings("UnusedVariable") // loaded through its handle
  private long endPosition;

  private long tickets; // given so far; stored after endPosition, so that these are before it

  private volatile long durablePosition;
  private volatile long cut; // what tickets are ahead of sequences

  private final SegmentPersister persister;
  private volatile long lastSync;

  /** Begins an epoch behind what was recovered, all of which is durable. */
  JournalWriter(
      Medium medium,
      JournalOptions options,
      JournalState state,
      Segments segments,
      SegmentFiles files,
      long previous,
      long nextSequence,
      int chain,
      Runnable afterRoll) {
    this.medium = medium;
    this.options = options;
    this.mode = options.mode(medium);
    this.direct = mode == Mode.DIRECT;
    this.waits = mode == Mode.BUFFERED;
    this.timeFlag = options.timestamps() ? RecordLayout.TIME : 0;
    this.uuid = state.uuid();
    this.epoch = state.epoch();
    this.segments = segments;
    this.files = files;
    this.afterRoll = afterRoll;
    this.next = nextSequence;
    this.visible = nextSequence;
    this.tickets = nextSequence;
    this.chain = chain;
    this.sealer = new RecordSealer(uuid, epoch, mode.alignment());
    this.refusals = new Refusals(medium.location());
    this.group = new GroupCommit(refusals, nextSequence, this::writeDurably);
    long interval = direct ? 0 : options.intervalNanos();
    this.age = interval == 0 ? null : new SyncAge(interval, nextSequence, System::nanoTime);
    this.timer =
        new LogTimer(() -> group.await(tickets()), interval, medium.location(), group::fail);
    OpenSegment first = files.require();
    try {
      begin(first, previous);
    } catch (Throwable t) {
      Closing.after(t, first::close);
      throw t;
    }
    this.current = first;
    this.persister = new SegmentPersister(first, sealer.endSize(), files::finish);
  }

  /** Starts what works in the background. */
  void start() {
    if (options.background()) {
      files.start();
      if (age != null) {
        timer.start();
      }
    } else {
      files.fillUp();
    }
  }

  /** What those are told who come too late. */
  private record Refusals(String location) implements GroupCommit.Refusals {
    @Override
    public RuntimeException closed() {
      return new JournalClosedException(location);
    }

    @Override
    public EverheapException poisoned(@Nullable Throwable cause) {
      return new JournalFailedException(location, cause);
    }
  }

  /** Appends a record and returns its sequence. */
  long append(byte[] payload, int from, int length) {
    enter(sealer.size(length, RecordLayout.TIME | RecordLayout.DURABLE));
    long start = offset;
    int startChain = chain;
    long startStated = stated;
    long sequence = next;
    int progress = STORING;
    try {
      int flags = optional(RecordLayout.FIRST | RecordLayout.LAST, sequence);
      OpenSegment to = current;
      long size =
          sealer.seal(
              to.target(), to.ordinal(), start, flags, sequence, startChain, payload, from, length);
      force(start, size);
      accept(size, flags);
      progress = PUBLISHING;
      publish(sequence + 1);
      lock.unlock();
      progress = DONE;
    } catch (InternalError e) {
      throw faulted(e);
    } finally {
      if (progress != DONE) {
        if (progress == PUBLISHING) {
          broken = HALF;
        }
        offset = start;
        chain = startChain;
        stated = startStated;
        lock.state = AppendLock.FREE;
      }
    }
    arrived();
    return sequence;
  }

  /** Appends records that recovery keeps all or none; returns the sequence of the first one. */
  long append(MemorySegment[] payloads) {
    long room = 0;
    for (MemorySegment payload : payloads) {
      room += sealer.size(payload.byteSize(), RecordLayout.TIME | RecordLayout.DURABLE);
    }
    enter(room);
    long start = offset;
    int startChain = chain;
    long startStated = stated;
    long first = next;
    int progress = STORING;
    try {
      storeAll(payloads);
      force(start, offset - start);
      progress = PUBLISHING;
      publish(first + payloads.length);
      lock.unlock();
      progress = DONE;
    } catch (InternalError e) {
      throw faulted(e);
    } finally {
      if (progress != DONE) {
        if (progress == PUBLISHING) {
          broken = HALF;
        }
        offset = start;
        chain = startChain;
        stated = startStated;
        lock.state = AppendLock.FREE;
      }
    }
    arrived();
    return first;
  }

  // How far an append is, for a finally.
  private static final int STORING = 0;
  private static final int PUBLISHING = 1;
  private static final int DONE = 2;

  /** Made before it is needed: then there may be no memory for it. */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  private static final Throwable HALF =
      new IllegalStateException("an error of the virtual machine ended an append half-way");

  private void storeAll(MemorySegment[] payloads) {
    OpenSegment to = current;
    int last = payloads.length - 1;
    for (int i = 0; i <= last; i++) {
      int place = (i == 0 ? RecordLayout.FIRST : 0) | (i == last ? RecordLayout.LAST : 0);
      int flags = optional(place, next + i);
      long size =
          sealer.seal(to.target(), to.ordinal(), offset, flags, next + i, chain, payloads[i]);
      accept(size, flags);
    }
  }

  /**
   * Reserves the place of the next record, and keeps everybody else from appending.
   *
   * @param length of the payload
   * @param wait whether to wait for others
   * @return null if others are appending, or something has to be done by the disk first
   */
  @Nullable Claim claim(int length, boolean wait, Claim.Owner owner) {
    long room = sealer.size(length, RecordLayout.TIME | RecordLayout.DURABLE);
    if (wait) {
      enter(room);
    } else if (!tryEnter(room)) {
      return null;
    }
    boolean done = false;
    try {
      int flags = optional(RecordLayout.FIRST | RecordLayout.LAST, next);
      long at = offset + RecordLayout.headerSize(flags);
      MemorySegment memory = current.target().claim(at, length);
      Claim claim = new Claim(owner, lock, memory, flags, at);
      claimed = claim;
      done = true;
      return claim;
    } finally {
      if (!done) {
        lock.state = AppendLock.FREE;
      }
    }
  }

  /** Completes the record that was claimed and returns its sequence. */
  long commit(Claim claim) {
    long start = offset;
    int startChain = chain;
    long startStated = stated;
    long sequence = next;
    int progress = STORING;
    try {
      OpenSegment to = current;
      MemorySegment memory = claim.memory();
      to.target().claimed(claim.offset(), memory.byteSize());
      check();
      long size =
          sealer.sealInPlace(
              to.target(), to.ordinal(), start, claim.flags(), sequence, startChain, memory);
      force(start, size);
      accept(size, claim.flags());
      progress = PUBLISHING;
      publish(sequence + 1);
      claimed = null;
      claim.holdsLock = false;
      lock.unlock();
      progress = DONE;
    } catch (InternalError e) {
      throw faulted(e);
    } finally {
      if (progress != DONE) {
        if (progress == PUBLISHING) {
          broken = HALF;
        }
        offset = start;
        chain = startChain;
        stated = startStated;
        claimed = null;
        claim.holdsLock = false;
        lock.state = AppendLock.FREE;
      }
    }
    arrived();
    return sequence;
  }

  /** Gives the claimed place up. */
  void abort(Claim claim) {
    try {
      current.target().claimed(claim.offset(), claim.memory().byteSize());
    } finally {
      claimed = null;
      claim.holdsLock = false;
      lock.state = AppendLock.FREE;
    }
  }

  /**
   * Lets nobody begin to append any more. A claim that is open ends here: who forgot it must not
   * keep the journal from being closed.
   */
  void stop() {
    stopped = true;
    boolean interrupted = false;
    while (!lock.tryLock()) {
      Claim open = claimed;
      if (open != null && open.revoke()) {
        abort(open); // its hold on the lock was ours, and is given up
        continue;
      }
      LockSupport.parkNanos(this, 50_000);
      interrupted |= Thread.interrupted();
    }
    lock.state = AppendLock.FREE;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private int optional(int flags, long sequence) {
    int all = flags | timeFlag;
    if (timeFlag != 0) {
      lastTime = options.clock().applyAsLong(sequence, lastTime);
    }
    if (!direct) {
      long durable = durablePosition;
      if (durable != stated) {
        all |= RecordLayout.DURABLE;
        sealer.say(lastTime, durable);
        return all;
      }
    }
    sealer.say(lastTime, stated);
    return all;
  }

  private void accept(long size, int flags) {
    offset += size;
    chain = sealer.checksum();
    if ((flags & RecordLayout.DURABLE) != 0) {
      stated = sealer.durable();
    }
  }

  private void force(long from, long size) {
    if (direct) {
      try {
        current.target().force(from, size);
      } catch (Throwable t) {
        broken = t;
        fail(t);
        throw t;
      }
    }
  }

  private void publish(long newNext) {
    END_POSITION.setRelease(this, RecordLayout.position(current.ordinal(), offset));
    long added = newNext - next;
    NEXT.setRelease(this, newNext);
    TICKETS.setRelease(this, tickets + added);
    if (!waits) {
      VISIBLE.setRelease(this, newNext);
    }
  }

  private void arrived() {
    if (!waits) {
      arrivals.signal();
    }
  }

  /** Takes the append lock when there is room for a record of so many bytes. */
  private void enter(long room) {
    requireNoClaim();
    while (true) {
      lock.lock();
      long missing = ROLLED;
      try {
        missing = prepare(room);
      } finally {
        if (missing != READY) {
          lock.state = AppendLock.FREE;
        }
      }
      if (missing == READY) {
        return;
      }
      if (missing == SEGMENT) {
        files.require(segmentFor(room));
      } else if (missing != ROLLED) {
        group.await(missing);
      }
    }
  }

  /** The same without waiting; has done in the background what is missing. */
  private boolean tryEnter(long room) {
    requireNoClaim();
    while (lock.tryLock()) {
      long missing = ROLLED;
      try {
        missing = prepare(room);
      } finally {
        if (missing != READY) {
          lock.state = AppendLock.FREE;
        }
      }
      if (missing == READY) {
        return true;
      }
      if (missing == ROLLED) {
        continue;
      }
      if (missing == SEGMENT) {
        files.request(segmentFor(room));
      } else {
        timer.request();
      }
      return false;
    }
    return false;
  }

  private long segmentFor(long room) {
    return SegmentLayout.START + room + sealer.endSize();
  }

  /** Throws if this thread would wait for itself. */
  private void requireNoClaim() {
    Claim open = claimed;
    if (open != null && open.isOpen() && Thread.currentThread().equals(open.thread())) {
      throw new IllegalStateException(
          "this thread has a claim that is neither committed nor aborted");
    }
  }

  // What is missing before a record can be stored; or a ticket that must be durable, above all.
  private static final long READY = -1;
  private static final long ROLLED = -2;
  private static final long SEGMENT = -3;

  /** Holding the lock, which the caller gives up unless the answer is {@link #READY}. */
  private long prepare(long room) {
    check();
    if (stopped) {
      throw refusals.closed();
    }
    long durable = group.durable();
    if (overdue(durable)) {
      return durable + 1;
    }
    if (offset + room + sealer.endSize() <= current.size()) {
      return READY;
    }
    if (!direct
        && durable < ticket(next)
        && RecordLayout.ordinal(durablePosition) < current.ordinal()) {
      return ticket(next);
    }
    OpenSegment fresh = files.take(segmentFor(room));
    if (fresh == null) {
      Error error = files.error();
      if (error != null) {
        fail(error);
        check();
      }
      return SEGMENT;
    }
    roll(fresh);
    return ROLLED;
  }

  private boolean overdue(long durable) {
    SyncAge limit = age;
    return limit != null
        && options.background()
        && (limit.overdue(ticket(next), durable)
            || (durable < ticket(next) && timer.late(lastSync)));
  }

  /** Ends the segment and goes on in the next one. */
  private void roll(OpenSegment fresh) {
    try {
      medium.requireIntact();
      OpenSegment full = current;
      long size =
          sealer.seal(
              full.target(), full.ordinal(), offset, RecordLayout.END, next, chain, NOTHING, 0, 0);
      force(offset, size);
      full.segment().end(next, offset);
      offset += size;
      chain = sealer.checksum();
      begin(fresh, full.ordinal());
      full.next(fresh);
      current = fresh;
      publish(next);
      if (direct) {
        files.finish(full);
      }
    } catch (Throwable t) {
      broken = t;
      fail(t);
      if (current != fresh) {
        Closing.after(t, fresh::close);
      }
      throw t;
    }
    afterRoll.run();
  }

  private static final byte[] NOTHING = new byte[0];

  /** Writes the header of a segment for the next record. */
  private void begin(OpenSegment fresh, long previous) {
    long start = RecordLayout.position(fresh.ordinal(), SegmentLayout.START);
    boolean first = durablePosition == 0 || direct;
    lastTime = options.clock().applyAsLong(next, lastTime);
    SegmentHeader header =
        new SegmentHeader(
            SegmentLayout.FORMAT_VERSION,
            mode.alignment(),
            uuid,
            epoch,
            fresh.ordinal(),
            previous,
            next,
            fresh.size(),
            lastTime,
            first ? start : durablePosition,
            chain);
    Segment segment = fresh.begin(medium, header);
    segments.add(segment);
    offset = SegmentLayout.START;
    if (first) {
      durablePosition = start;
      stated = start;
      END_POSITION.setRelease(this, start);
    }
  }

  // By the leader.

  private long writeDurably(long durable) {
    requireWhole();
    long to = tickets();
    long end = (long) END_POSITION.getAcquire(this);
    SyncAge limit = age;
    if (limit != null) {
      limit.begin(to);
    }
    long begin = System.nanoTime();
    persister.persistTo(end);
    lastSync = System.nanoTime() - begin;
    if (limit != null) {
      limit.end(lastSync);
    }
    durablePosition = end;
    if (waits) {
      VISIBLE.setRelease(this, to - cut);
      arrivals.signal();
    }
    return to;
  }

  // Waiting.

  /** Waits until a record is durable. */
  void await(long sequence) {
    if (!direct) {
      requireNoClaim();
      group.await(given(sequence));
    }
  }

  /** Makes everything durable that was appended before. */
  void force() {
    check();
    if (!direct) {
      requireNoClaim();
      group.await(tickets());
    }
  }

  /** Tells when a record is durable, or never will be. */
  void whenDurable(long sequence, Consumer<@Nullable EverheapException> action) {
    if (direct) {
      action.accept(null);
      return;
    }
    long ticket = given(sequence);
    group.whenDurable(ticket, action);
    if (group.durable() < ticket) {
      timer.request();
    }
  }

  private long tickets() {
    return (long) TICKETS.getAcquire(this);
  }

  /** The ticket that is durable with a record; one that was given, also if the record was cut. */
  private long given(long sequence) {
    return Math.min(ticket(sequence + 1), tickets());
  }

  private long ticket(long sequence) {
    return sequence + cut;
  }

  long next() {
    return (long) NEXT.getAcquire(this);
  }

  /** Records below can be read. */
  long visible() {
    return (long) VISIBLE.getAcquire(this);
  }

  long durable() {
    return direct ? next() : Math.min(group.durable() - cut, next());
  }

  /** The oldest segment that the writer still needs. */
  long neededOrdinal() {
    return RecordLayout.ordinal(direct ? (long) END_POSITION.getAcquire(this) : durablePosition);
  }

  Arrivals arrivals() {
    return arrivals;
  }

  void check() {
    if (broken != null) {
      fail(broken);
    }
    group.check();
  }

  /** Throws what ended all appending, if something did that has not been told yet. */
  private void requireWhole() {
    Throwable cause = broken;
    if (cause != null) {
      throw refusals.poisoned(cause);
    }
  }

  @Nullable Throwable failure() {
    Throwable cause = broken;
    return cause != null ? cause : group.failure();
  }

  /** Runs an action while nobody appends and everything is durable; returns what it returns. */
  boolean exclusively(BooleanSupplier action) {
    requireNoClaim();
    while (true) {
      force();
      lock.lock();
      try {
        check();
        if (direct || group.durable() >= ticket(next)) {
          return action.getAsBoolean();
        }
      } finally {
        lock.state = AppendLock.FREE;
      }
    }
  }

  /** Whether a segment can follow the present one; inside {@link #exclusively}. */
  boolean canFollow(OpenSegment fresh) {
    return fresh.ordinal() > current.ordinal();
  }

  /** Makes everything durable and lets nobody append any more. */
  void finish() {
    exclusively(
        () -> {
          group.close();
          return true;
        });
  }

  /**
   * Lets the next record follow an earlier one, in a new epoch; holding the lock, with everything
   * durable. The journal's state says already that the epoch is taken.
   *
   * @param fresh where it goes on
   * @param newEpoch higher than all before
   * @param previous the segment of the record that stays the last one
   * @param newNext sequence of the next record
   * @param newChain crc of the record before it
   */
  void cut(
      OpenSegment fresh,
      long newEpoch,
      long previous,
      long newNext,
      int newChain,
      Runnable beforeVisible) {
    try {
      OpenSegment old = current;
      long cutBefore = cut;
      cut = cutBefore + next - newNext;
      epoch = newEpoch;
      sealer = new RecordSealer(uuid, newEpoch, mode.alignment());
      chain = newChain;
      next = newNext;
      durablePosition = 0;
      beforeVisible.run();
      begin(fresh, previous);
      current = fresh;
      persister.restart(fresh);
      publish(newNext);
      VISIBLE.setRelease(this, newNext);
      files.finish(old);
    } catch (Throwable t) {
      broken = t;
      fail(t);
      if (current != fresh) {
        Closing.after(t, fresh::close);
      }
      throw t;
    }
  }

  /** What is thrown when the journal was closed. */
  RuntimeException closed() {
    return refusals.closed();
  }

  /** Ends all appending, for whatever reason. */
  void fail(Throwable cause) {
    broken = cause; // by a store first: a call may fail
    Throwable why = isFault(cause) ? explain(cause) : cause;
    broken = why;
    group.fail(why);
  }

  /** A page of a mapping was not there: its file was cut off, or the device failed or is full. */
  private EverheapException explain(Throwable fault) {
    try {
      medium.requireIntact();
    } catch (EverheapException e) {
      e.addSuppressed(fault);
      return e;
    }
    return new MediumException(
        "cannot load or store a mapped page of a file in "
            + medium.location()
            + ": the file was cut off, or the device failed or is full",
        fault);
  }

  /** Ends all appending after such a fault and throws why; returns any other error. */
  private InternalError faulted(InternalError error) {
    if (isFault(error)) {
      fail(error);
      group.check();
    }
    return error;
  }

  private static boolean isFault(Throwable error) {
    return error instanceof InternalError
        && String.valueOf(error.getMessage()).contains("unsafe memory access");
  }

  @Override
  public void close() {
    timer.stop();
    group.close();
    Closing closing = new Closing();
    lock.lock(); // an append that is under way
    try {
      OpenSegment oldest = direct ? current : persister.segment();
      for (OpenSegment open = oldest; open != null; open = open.next()) {
        closing.then(open::close);
      }
    } finally {
      lock.state = AppendLock.FREE;
    }
    closing.then(files::close).end();
  }
}
