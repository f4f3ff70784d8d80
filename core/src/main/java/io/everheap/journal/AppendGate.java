package io.everheap.journal;

import io.everheap.error.LockTimeoutException;
import io.everheap.log.GroupCommit;
import io.everheap.log.LogSync;
import io.everheap.memory.BriefLock;
import io.everheap.memory.Closing;
import org.jspecify.annotations.Nullable;

/**
 * Admits one appender at a time, once there is room for its record behind the {@link Tail}. An
 * appender waits for room without holding the lock.
 *
 * <pre>
 *   field     mode       guard
 *   claimed   volatile   the append lock
 *   stopped   volatile   -
 * </pre>
 */
final class AppendGate {
  /**
   * Whether a record can be stored, and what has to be done first. The common answers are
   * constants.
   */
  private sealed interface Room {
    /** Answers that need no waiting. */
    enum Known implements Room {
      /** It fits behind the last record. */
      READY,

      /** A segment was begun: prepare again. */
      ROLLED
    }

    /**
     * The next segment is not ready, or too small.
     *
     * @param bytes that it must have
     */
    record NoSegment(long bytes) implements Room {}

    /**
     * Too much is not durable yet.
     *
     * @param ticket that must be durable first
     */
    record NotDurable(long ticket) implements Room {}
  }

  final BriefLock lock = new BriefLock();

  /** The claim that has the lock, or the last one. */
  volatile @Nullable Claim claimed;

  /** Whether nothing may be appended any more, since the journal is closed. */
  volatile boolean stopped;

  private final boolean direct;
  private final boolean paced;
  private final long timeout; // in nanoseconds
  private final Tail tail;
  private final LogSync sync;
  private final GroupCommit group;
  private final SegmentFiles files;
  private final WriterFailure failure;
  private final Runnable afterRoll;

  /** Loads the class before the lock is first taken, since class loading can fail. */
  private final Room.Known ready = Room.Known.READY;

  AppendGate(
      JournalOptions options,
      Mode mode,
      Tail tail,
      LogSync sync,
      SegmentFiles files,
      WriterFailure failure,
      Runnable afterRoll) {
    this.direct = mode == Mode.DIRECT;
    this.paced = mode.paced() && options.background();
    this.timeout = options.lockTimeoutNanos();
    this.tail = tail;
    this.sync = sync;
    this.group = sync.group();
    this.files = files;
    this.failure = failure;
    this.afterRoll = afterRoll;
  }

  /** Takes the append lock when there is room for a record of so many bytes. */
  void enter(long room) {
    requireNoClaim();
    while (true) {
      take();
      @Nullable Room found = null; // nothing that can fail stands between the lock and the try
      try {
        found = prepare(room);
      } finally {
        if (found != ready) {
          lock.state = BriefLock.FREE;
        }
      }
      if (found == ready) {
        return;
      }
      switch (found) {
        case Room.Known _ -> {}
        case Room.NoSegment missing -> files.require(missing.bytes());
        case Room.NotDurable late -> group.await(late.ticket());
      }
    }
  }

  /**
   * Like {@link #enter}, without waiting: a missing segment or write is requested in the
   * background.
   */
  boolean tryEnter(long room) {
    requireNoClaim();
    while (lock.tryLock()) {
      @Nullable Room found = null; // nothing that can fail stands between the lock and the try
      try {
        found = prepare(room);
      } finally {
        if (found != ready) {
          lock.state = BriefLock.FREE;
        }
      }
      if (found == ready) {
        return true;
      }
      switch (found) {
        case Room.Known _ -> {}
        case Room.NoSegment missing -> {
          files.request(missing.bytes());
          return false;
        }
        case Room.NotDurable _ -> {
          sync.request();
          return false;
        }
      }
    }
    return false;
  }

  /**
   * Takes the append lock. A close, which ends a claim, waits without a limit.
   *
   * @throws LockTimeoutException if it is not free in time: another thread may have a claim
   */
  void take() {
    if (!lock.tryLock(stopped ? Long.MAX_VALUE : timeout)) {
      Claim open = claimed;
      throw LockTimeoutException.ofJournal(
          failure.location(), open != null && open.isOpen() ? open.thread() : null, timeout);
    }
  }

  /** Throws if this thread has an open claim, for which it would wait forever. */
  void requireNoClaim() {
    Claim open = claimed;
    if (open != null && open.isOpen() && Thread.currentThread().equals(open.thread())) {
      throw new IllegalStateException(
          "this thread has a claim that is neither committed nor aborted");
    }
  }

  /** Called with the lock held; the caller releases it unless the answer is READY. */
  private Room prepare(long room) {
    failure.check();
    if (stopped) {
      throw failure.closed();
    }
    Error error = files.error();
    if (error != null && failure.cause() == null) {
      // At once: after an error of the virtual machine the journal works or it does not. After an
      // exception of a directory's sync it goes on until the segment is full.
      failure.fail(error);
      failure.check();
    }
    long durable = group.durable();
    if (paced && sync.overdue(tail.ticket(), durable)) {
      return new Room.NotDurable(durable + 1);
    }
    if (tail.fits(room)) {
      return Room.Known.READY;
    }
    if (!direct
        && durable < tail.ticket()
        && RecordLayout.ordinal(tail.durablePosition()) < tail.current().ordinal()) {
      return new Room.NotDurable(tail.ticket());
    }
    long bytes = tail.segmentFor(room);
    OpenSegment fresh = files.take(bytes);
    if (fresh == null) {
      return new Room.NoSegment(bytes);
    }
    roll(fresh);
    return Room.Known.ROLLED;
  }

  /** Ends the segment and continues in the next one. */
  private void roll(OpenSegment fresh) {
    try {
      OpenSegment full = tail.current();
      tail.roll(fresh);
      if (direct) {
        files.finish(full);
      }
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
    afterRoll.run();
  }
}
