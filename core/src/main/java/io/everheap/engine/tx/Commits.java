package io.everheap.engine.tx;

import io.everheap.engine.event.Recording;
import io.everheap.engine.event.Recording.CommitEvent;
import io.everheap.engine.home.Home;
import io.everheap.engine.log.Log;
import io.everheap.error.TooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Commits the running transaction: appends one record, applies it to the home image between an odd
 * and an even version of the stripes that it touches, and releases the lock. Guarded by the writer
 * lock.
 *
 * <p>Between the append and the end of the apply nothing allocates on the Java heap and no user
 * code runs; a failure there poisons the heap, because the log already has the record.
 */
final class Commits {
  private final Home home;
  private final Log log;
  private final Stripes stripes;
  private final WriterLock lock;
  private final Turns turns;
  private final CommitMonitor monitor;
  private final Running running;
  private final RecordWriter recordWriter;
  private final long maxBytes;
  private long commits;

  /** The snapshot of a running collection, or null. */
  @Nullable Snapshot snapshot;

  Commits(
      Home home,
      Log log,
      Stripes stripes,
      WriterLock lock,
      Turns turns,
      CommitMonitor monitor,
      Running running,
      long maxBytes) {
    this.home = home;
    this.log = log;
    this.stripes = stripes;
    this.lock = lock;
    this.turns = turns;
    this.monitor = monitor;
    this.running = running;
    this.recordWriter = new RecordWriter(home, log, running.writes);
    this.maxBytes = maxBytes;
  }

  /**
   * Commits; returns the LSN up to which the log must be durable for the commit to be. If it
   * throws, the transaction is rolled back or the heap is poisoned.
   */
  long appendAndApply() {
    boolean empty;
    try {
      TooLargeException refusal = running.writes.refusal();
      if (refusal != null) {
        throw refusal; // although the program caught it
      }
      CommitParticipant p = running.participant;
      running.requireWhole(false);
      Snapshot kept = snapshot;
      if (kept != null) {
        p.freed(kept);
      }
      p.prepare();
      long bytes = recordWriter.measure(p);
      empty = bytes == 0;
      if (bytes > maxBytes) {
        throw TooLargeException.transaction(bytes, maxBytes);
      }
      if (!empty) {
        log.reserve(bytes);
        if (kept != null) {
          kept.save(running.writes);
        }
      }
    } catch (Throwable t) {
      running.rollBack(t);
      throw t;
    }
    long lsn;
    try {
      // An empty transaction may have read commits that are not durable yet: it waits for them.
      lsn = empty ? commitNothing() : writeRecord();
    } catch (Throwable t) {
      turns.breakBy(t);
      throw t;
    } finally {
      running.finish();
    }
    return lsn;
  }

  private long commitNothing() {
    running.participant.reset();
    return log.appended();
  }

  private long writeRecord() {
    CommitEvent event = Recording.isOn() ? new CommitEvent() : null;
    if (event != null) {
      event.begin();
    }
    CommitParticipant p = running.participant;
    long lsn = recordWriter.write();
    apply();
    p.applied();
    p.reset();
    commits++;
    monitor.committed(lsn);
    if (event != null && event.shouldCommit()) {
      event.lsn = lsn;
      event.bytes = recordWriter.size();
      event.commit();
    }
    return lsn;
  }

  /** Stores the write set to the home image; the fills first, in the order of the record. */
  private void apply() {
    WriteSet w = running.writes;
    lock.beforeApply();
    stripes.open(w.stripes(), w.stripeCount());
    for (int i = 0; i < w.fillCount(); i++) {
      long address = w.fillAddress(i);
      for (int n = 0; n < w.fillTimes(i); n++, address += w.fillStride(i)) {
        home.putLong(address, w.fillValue(i));
        home.markDirty(address, 8);
      }
    }
    recordWriter.markFresh();
    w.storeTo(home);
    stripes.close(w.stripes(), w.stripeCount());
    lock.afterApply();
  }

  /** The number of commits that stored something. */
  long commits() {
    return commits;
  }
}
