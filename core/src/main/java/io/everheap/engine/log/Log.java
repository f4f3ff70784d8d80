package io.everheap.engine.log;

import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.error.StoppedException;
import io.everheap.log.GroupCommit;
import io.everheap.log.RecordBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The append side of the redo log of one epoch.
 *
 * <p>A record is appended by the thread that holds the writer lock: {@link #reserve}, then for each
 * part {@link #openPart}, stores to {@link #buffer} and {@link #closePart}. Any thread may wait
 * with {@link #awaitDurable}; the first one that waits writes for all. Methods marked "Any thread"
 * are thread-safe, the others are for the holder of the writer lock.
 *
 * <p>An epoch starts in this order, which the caller must keep:
 *
 * <ol>
 *   <li>Recovery has read the log of the previous epoch ({@link LogReader}), written its end again
 *       ({@link RecoveredLog#persist}), and applied it.
 *   <li>{@link Logs#start}: a segment of the new epoch exists, its header is durable. Nothing that
 *       a recovery of the previous epoch needs has changed, neither its segments nor the ring.
 *   <li>Either the caller writes, durably, a superblock in which the new epoch, with its start LSN
 *       and chain, continues the log of the previous ones; then {@link #begin}: the ring is reset,
 *       and records may be appended. Later a full checkpoint is durable, and a superblock with the
 *       new epoch only; then {@link #recycleOld}: the segments of older epochs become free.
 *   <li>Or the checkpoint and that superblock come first, and {@link #recycleOld} does both.
 * </ol>
 *
 * <p>Any failure to make the log durable poisons it: {@link #durable} never advances again, nothing
 * more is written, and every thread that waits or calls later gets a {@link
 * io.everheap.error.StoppedException}.
 */
public abstract class Log implements AutoCloseable {
  final PartSealer sealer;
  private int open = -1; // reserved size of the open part, or -1

  Log(PartSealer sealer) {
    this.sealer = sealer;
  }

  /** The exceptions thrown to callers after close or failure of the log. */
  static GroupCommit.Refusals refusals(String location) {
    return new GroupCommit.Refusals(location, ClosedException::heap, StoppedException::heap);
  }

  /**
   * Reserves the place of a part behind the last one.
   *
   * @param bytes maximum size of the part
   * @return that size with padding
   */
  abstract int place(int bytes);

  /**
   * Completes the part in the buffer and stores it to its place.
   *
   * @param length in bytes
   * @param flags {@link PartLayout#MORE} or 0
   * @return the LSN behind it
   */
  abstract long seal(int length, int flags);

  /** The space in segments; null for a log without segments. */
  @Nullable LogSpace space() {
    return null;
  }

  /** The largest part in bytes, header included. */
  public static int maxPart() {
    return PartLayout.MAX_PART;
  }

  /**
   * Allocates what {@link #begin} needs, so that it needs no further space.
   *
   * @return false if the disk is full
   */
  public abstract boolean prepare();

  /**
   * Begins the new epoch: resets the ring. To be called once, when a superblock with the new epoch
   * is durable.
   *
   * @throws io.everheap.error.DiskFullException if there is no space for the ring or the spare
   *     segment
   */
  public abstract void begin();

  /**
   * Frees the segments of older epochs; to be called when a superblock with the new epoch only is
   * durable. Begins the epoch, unless {@link #begin} was called.
   *
   * @throws io.everheap.error.DiskFullException if there is no space for the ring or the spare
   *     segment
   */
  public abstract void recycleOld();

  /** Size of the segments of older epochs that are not free yet, in bytes. Any thread. */
  public final long old() {
    LogSpace space = space();
    return space == null ? 0 : space.old();
  }

  /**
   * Reserves space for a record. The caller must write entries that fit into one part as one part;
   * otherwise each part except the last must be at least half full. May wait for the medium.
   *
   * @param bytes size of the entries, without headers and padding
   * @throws io.everheap.error.DiskFullException if another segment is needed and cannot be created;
   *     nothing was appended, and smaller records may still fit
   * @throws io.everheap.error.StoppedException after a failure
   */
  public abstract void reserve(long bytes);

  /**
   * Opens a part. May wait until older parts are durable. A part that is not closed has no effect.
   *
   * @param bytes maximum size of the part including its header; up to {@link #maxPart}
   * @return offset of its header in {@link #buffer}; entries start {@link PartLayout#HEADER_SIZE}
   *     bytes later
   */
  public final int openPart(int bytes) {
    if (bytes < PartLayout.HEADER_SIZE || bytes > PartLayout.MAX_PART) {
      throw new IllegalArgumentException("a part of " + bytes + " bytes");
    }
    open = place(bytes);
    return 0;
  }

  /** The buffer of the open part, always the same; its bytes are those of the newest part. */
  public final RecordBuffer buffer() {
    return sealer.buffer();
  }

  /**
   * Completes the open part: pads it with zeros, writes its header and publishes it. On
   * byte-addressable media it is durable on return.
   *
   * @param length of the part in bytes, header included
   * @param more whether another part of the same transaction follows
   * @return the LSN behind it
   */
  public final long closePart(int length, boolean more) {
    if (length < PartLayout.HEADER_SIZE || length > open) {
      throw new IllegalArgumentException(length + " bytes in a part of " + open);
    }
    open = -1;
    return seal(length, more ? PartLayout.MORE : 0);
  }

  /** The LSN behind the newest complete part. Any thread. */
  public abstract long appended();

  /** The LSN below which everything is durable. Any thread. */
  public abstract long durable();

  /** The crc of the newest complete part, the chain value at {@link #appended}. */
  public final int chain() {
    return sealer.chain();
  }

  /**
   * Waits until everything below an LSN is durable. Any thread. An interrupt does not end the wait
   * and is kept.
   *
   * @param lsn at most {@link #appended}
   * @throws io.everheap.error.StoppedException after a failure, if {@code lsn} was not durable then
   */
  public abstract void awaitDurable(long lsn);

  /**
   * Requests a sync, and runs an action when everything below an LSN is durable. Any thread. The
   * action runs once, in this thread or the one that did the sync, without any lock of the log; it
   * must not block or throw.
   *
   * @param lsn at most {@link #appended}
   * @param action gets null, or the failure because of which the outcome is unknown
   */
  public abstract void whenDurable(long lsn, Consumer<@Nullable EverheapException> action);

  /**
   * Ends all writing after a failure elsewhere in the heap. Any thread.
   *
   * @param cause of the failure; the first one stays
   */
  public abstract void poison(Throwable cause);

  /**
   * Requests that everything appended so far is durable within a time, without waiting for it. Any
   * thread.
   *
   * @param nanos the time in nanoseconds
   */
  public void syncWithin(long nanos) {}

  /**
   * Sets the listener for failed writes, since no thread may be waiting for them; once, before the
   * first record. It is called at once if a write, or the thread that syncs, has failed before.
   *
   * @param listener gets the failure, in the thread that met it or in this one
   */
  public void onFailure(Consumer<Throwable> listener) {}

  /**
   * Sets the listener for a record that did not fit, because no segment could be created on a full
   * disk, although a checkpoint would free some; once, before the first record.
   *
   * @param listener called by the holder of the writer lock
   */
  public final void onFull(Runnable listener) {
    LogSpace space = space();
    if (space != null) {
      space.onFull(listener);
    }
  }

  /**
   * Whether little is left of the current segment and none is ready to follow it, although a
   * checkpoint would free some. Called by the holder of the writer lock, or while it is free.
   */
  public final boolean isLow() {
    LogSpace space = space();
    return space != null && space.isLow();
  }

  /**
   * Creates segments while they are scarce, or waits until another thread has created them. Any
   * thread.
   *
   * @return false if segments are still scarce: the disk is full, or the log has its full size
   */
  public final boolean ensureSpace() {
    LogSpace space = space();
    return space == null || space.ensureSpace();
  }

  /**
   * Wakes threads that wait although their records are durable, because an error of the virtual
   * machine lost their wake-up. To be called periodically, by any thread.
   */
  public void recheck() {}

  /** The failure that poisoned the log, or null. Any thread. */
  public abstract @Nullable Throwable failure();

  /**
   * Frees the segments that lie wholly below an LSN. Any thread.
   *
   * @param lsn of a checkpoint that is durable; the log is durable up to it as well
   */
  public final void recycleBelow(long lsn) {
    LogSpace space = space();
    if (space != null) {
      space.recycleBelow(lsn);
    }
  }

  /**
   * Keeps the segments in use, and those that follow, from being recycled. Any thread.
   *
   * @param onSegment called when a segment is complete, perhaps by the writer; neither waits nor
   *     throws
   * @throws IllegalStateException if the log has no segments: it is in memory only
   */
  public final LogHold hold(Runnable onSegment) {
    LogSpace space = space();
    if (space == null) {
      throw new IllegalStateException("a log in memory has no segments");
    }
    return space.hold(onSegment);
  }

  /**
   * Deletes the segments that the next opening does not need. To be called at most once, when no
   * record follows and a checkpoint of everything is durable.
   */
  public final void trim() {
    LogSpace space = space();
    if (space != null) {
      space.trim();
    }
  }

  /** Size of the log in use, in bytes, including parts not yet written to segments. Any thread. */
  public abstract long used();

  /** Target size of the log in bytes; see {@link LogOptions#target}. Any thread. */
  public abstract long limit();

  /**
   * Sets the target size to that of a heap of this size. Any thread.
   *
   * @param capacity of the home image in bytes
   */
  public final void follow(long capacity) {
    LogSpace space = space();
    if (space != null) {
      space.follow(capacity);
    }
  }

  /**
   * Ends the log without making anything durable; call {@link #awaitDurable} before. Waits for
   * running writes. A thread that still waits or calls later gets a {@link
   * io.everheap.error.ClosedException}.
   */
  @Override
  public abstract void close();
}
