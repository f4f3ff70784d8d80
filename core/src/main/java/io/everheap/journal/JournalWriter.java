package io.everheap.journal;

import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.error.StoppedException;
import io.everheap.log.CopiedWrite;
import io.everheap.log.GroupCommit;
import io.everheap.log.LogSync;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.BriefLock;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends records.
 *
 * <h2>Order</h2>
 *
 * The holder of the append lock stores a record behind the {@link Tail}; on a byte-addressable
 * medium it forces the record before it releases the lock. On files, the record becomes durable
 * with the next write of {@link LogSync}, whose leader takes everything up to the end that it sees.
 *
 * <h2>Failures</h2>
 *
 * A failure before the record is published, such as a full disk or a closed segment of the user,
 * changes nothing. A failure while something is made durable ends all appending.
 *
 * <p>An error of the virtual machine can strike at any call, also in a {@code finally}. So these
 * blocks only store: to the lock, and to {@link WriterFailure#broken} if the record may be visible
 * to some threads and not to others.
 */
final class JournalWriter implements AutoCloseable {
  private final boolean direct;
  private final boolean waits;
  private final boolean background;
  private final SegmentFiles files;
  private final Arrivals arrivals = new Arrivals();
  private final SegmentPersister persister;
  private final LogSync sync;
  private final AppendGate gate;
  private final BriefLock lock;
  final Tail tail;
  final WriterFailure failure;

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
      long time,
      Runnable afterRoll) {
    Mode mode = options.mode(medium);
    this.direct = mode == Mode.DIRECT;
    this.waits = mode.waits();
    this.background = options.background();
    this.files = files;
    OpenSegment first = files.require();
    try {
      this.tail =
          new Tail(medium, options, state, segments, first, previous, nextSequence, chain, time);
    } catch (Throwable t) {
      Closing.after(t, first::close);
      throw t;
    }
    this.persister = new SegmentPersister(first, tail.endSize(), files::finish);
    long interval = direct ? 0 : options.intervalNanos();
    GroupCommit.Refusals refusals =
        new GroupCommit.Refusals(
            medium.location(), ClosedException::journal, StoppedException::journal);
    this.sync = new LogSync(refusals, medium.location(), nextSequence, interval, new Tickets());
    this.failure = new WriterFailure(medium, refusals, sync.group());
    this.gate = new AppendGate(options, mode, tail, sync, files, failure, afterRoll);
    this.lock = gate.lock;
  }

  /** What the leader of the group commit makes durable. */
  private final class Tickets implements LogSync.Target {
    @Override
    public long appended() {
      return tail.tickets();
    }

    @Override
    public long write(long durable, long to) {
      failure.requireNone();
      long end = tail.endPosition();
      persister.persistTo(end);
      tail.setDurable(end, to);
      if (waits) {
        arrivals.signal();
      }
      return to;
    }
  }

  /** Starts the background threads. */
  void start() {
    if (background) {
      files.start();
      sync.start();
    } else {
      files.fillUp();
    }
  }

  /** Appends a record and returns its sequence. */
  long append(byte[] payload, int from, int length) {
    gate.enter(tail.room(length));
    long sequence;
    boolean done = false;
    boolean failed = tail.state == Tail.SEALING; // the append before
    tail.state = Tail.SEALING;
    try {
      if (failed) {
        tail.reset();
      }
      sequence = tail.next();
      tail.put(RecordLayout.FIRST | RecordLayout.LAST, payload, from, length);
      tail.seal();
      complete();
      done = true;
    } catch (InternalError e) {
      throw failure.faulted(e);
    } finally {
      if (!done) {
        if (tail.state == Tail.PUBLISHING) {
          failure.broken = WriterFailure.UNFINISHED;
        }
        lock.state = BriefLock.FREE;
      }
    }
    arrived();
    return sequence;
  }

  /** Appends records that recovery keeps all or none; returns the sequence of the first one. */
  long append(MemorySegment[] payloads) {
    gate.enter(room(payloads));
    long first;
    boolean done = false;
    boolean failed = tail.state == Tail.SEALING; // the append before
    tail.state = Tail.SEALING;
    try {
      if (failed) {
        tail.reset();
      }
      first = tail.next();
      int last = payloads.length - 1;
      for (int i = 0; i <= last; i++) {
        int place = (i == 0 ? RecordLayout.FIRST : 0) | (i == last ? RecordLayout.LAST : 0);
        tail.put(place, payloads[i]);
        tail.seal();
      }
      complete();
      done = true;
    } catch (InternalError e) {
      throw failure.faulted(e);
    } finally {
      if (!done) {
        if (tail.state == Tail.PUBLISHING) {
          failure.broken = WriterFailure.UNFINISHED;
        }
        lock.state = BriefLock.FREE;
      }
    }
    arrived();
    return first;
  }

  private long room(MemorySegment[] payloads) {
    if (payloads.length == 0) {
      throw new IllegalArgumentException("no record to append");
    }
    long most = 0;
    long room = 0;
    for (MemorySegment payload : payloads) {
      RecordLayout.requirePayload(payload.byteSize());
      most += payload.byteSize() + RecordLayout.MAX_HEADER + JournalLayout.DIRECT_ALIGNMENT;
      room += tail.room(payload.byteSize());
    }
    if (most > JournalLayout.MAX_LARGE - SegmentLayout.START - SegmentLayout.BLOCK) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d records together are larger than %d bytes",
              payloads.length,
              RecordLayout.MAX_PAYLOAD));
    }
    return room;
  }

  /**
   * Reserves the place of the next record, and excludes other appenders.
   *
   * @param length of the payload
   * @param wait whether to wait for others
   * @return null if another thread is appending, or a file has to be written first
   */
  @Nullable Claim claim(int length, boolean wait, Claim.Owner owner) {
    long room = tail.room(length);
    if (wait) {
      gate.enter(room);
    } else if (!gate.tryEnter(room)) {
      return null;
    }
    boolean done = false;
    try {
      Claim claim = tail.claim(length, owner, lock);
      gate.claimed = claim;
      done = true;
      return claim;
    } finally {
      if (!done) {
        lock.state = BriefLock.FREE;
      }
    }
  }

  /** Completes the record that was claimed and returns its sequence. */
  long commit(Claim claim) {
    long sequence;
    boolean done = false;
    boolean failed = tail.state == Tail.SEALING; // the append before
    tail.state = Tail.SEALING;
    try {
      if (failed) {
        tail.reset();
      }
      sequence = tail.next();
      tail.endClaim(claim);
      failure.check();
      tail.put(claim);
      tail.seal();
      gate.claimed = null;
      claim.holdsLock = false;
      complete();
      done = true;
    } catch (InternalError e) {
      throw failure.faulted(e);
    } finally {
      if (!done) {
        if (tail.state == Tail.PUBLISHING) {
          failure.broken = WriterFailure.UNFINISHED;
        }
        gate.claimed = null;
        claim.holdsLock = false;
        lock.state = BriefLock.FREE;
      }
    }
    arrived();
    return sequence;
  }

  /** Aborts a claim. */
  void abort(Claim claim) {
    try {
      tail.endClaim(claim);
    } finally {
      gate.claimed = null;
      claim.holdsLock = false;
      lock.state = BriefLock.FREE;
    }
  }

  /** Publishes what was sealed, and releases the lock. */
  private void complete() {
    force();
    tail.publish();
    lock.unlock();
  }

  private void force() {
    if (direct) {
      try {
        tail.force();
      } catch (Throwable t) {
        failure.broken = t;
        failure.fail(t);
        throw t;
      }
    }
  }

  private void arrived() {
    if (!waits) {
      arrivals.signal();
    }
  }

  /**
   * Stops appending. An open claim ends here: a forgotten one must not keep the journal from being
   * closed.
   */
  void stop() {
    gate.stopped = true;
    boolean interrupted = false;
    while (!lock.tryLock()) {
      Claim open = gate.claimed;
      if (open == null || !open.revoke()) {
        LockSupport.parkNanos(this, 50_000);
        interrupted |= Thread.interrupted();
      }
    }
    lock.state = BriefLock.FREE;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // Waiting.

  /** Waits until a record is durable. */
  void await(long sequence) {
    if (!direct) {
      gate.requireNoClaim();
      sync.group().await(tail.ticket(sequence));
    }
  }

  /** Waits until a record is durable and copied, or cannot be so. */
  void await(long sequence, CopiedWrite copied) {
    if (!direct) {
      gate.requireNoClaim();
    }
    copied.await(action -> whenDurable(sequence, action));
  }

  /** Makes everything durable that was appended before. */
  void awaitAll() {
    failure.check();
    if (!direct) {
      gate.requireNoClaim();
      sync.group().await(tail.tickets());
    }
  }

  /** Repeats wake-ups that an error of the virtual machine stopped. */
  void recheck() {
    sync.recheck();
  }

  /** Runs an action when a record is durable, or cannot become so. */
  void whenDurable(long sequence, Consumer<@Nullable EverheapException> action) {
    if (direct) {
      action.accept(null);
    } else {
      sync.whenDurable(tail.ticket(sequence), action);
    }
  }

  long durable() {
    return direct ? tail.next() : Math.min(tail.sequence(sync.group().durable()), tail.next());
  }

  /** The position before which everything is durable; 0 for a moment while records are cut off. */
  long durablePosition() {
    return direct ? tail.endPosition() : tail.durablePosition();
  }

  /** The oldest segment that the writer still needs. */
  long neededOrdinal() {
    return RecordLayout.ordinal(durablePosition());
  }

  Arrivals arrivals() {
    return arrivals;
  }

  // Cutting and closing.

  /** Runs an action while no thread appends and everything is durable; returns what it returns. */
  boolean exclusively(BooleanSupplier action) {
    gate.requireNoClaim();
    while (true) {
      awaitAll();
      gate.take();
      try {
        failure.check();
        if (direct || sync.group().durable() >= tail.ticket()) {
          return action.getAsBoolean();
        }
      } finally {
        lock.state = BriefLock.FREE;
      }
    }
  }

  /** Whether a segment can follow the present one; inside {@link #exclusively}. */
  boolean canFollow(OpenSegment fresh) {
    return fresh.ordinal() > tail.current().ordinal();
  }

  /** Makes everything durable and stops appending. */
  void finish() {
    exclusively(
        () -> {
          sync.group().close();
          return true;
        });
  }

  /**
   * Continues behind an earlier record, in a new epoch; inside {@link #exclusively}. The journal's
   * state already has the new epoch. For the parameters see {@link Tail#cut}.
   */
  void cut(
      OpenSegment fresh,
      long newEpoch,
      long previous,
      long sequence,
      int crc,
      Runnable beforeVisible) {
    try {
      OpenSegment old = tail.current();
      tail.cut(fresh, newEpoch, previous, sequence, crc, beforeVisible);
      persister.restart(fresh);
      tail.show();
      files.finish(old);
    } catch (Throwable t) {
      failure.broken = t;
      failure.fail(t);
      if (tail.current() != fresh) {
        Closing.after(t, fresh::close);
      }
      if (t instanceof InternalError fault) {
        throw failure.faulted(fault);
      }
      throw t;
    }
  }

  @Override
  public void close() {
    sync.close();
    Closing closing = new Closing();
    lock.lock(); // an append that is under way
    try {
      OpenSegment oldest = direct ? tail.current() : persister.segment();
      for (OpenSegment open = oldest; open != null; open = open.next()) {
        closing.then(open::close);
      }
    } finally {
      lock.state = BriefLock.FREE;
    }
    closing.then(files::close).end();
  }
}
