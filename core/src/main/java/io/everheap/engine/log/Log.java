package io.everheap.engine.log;

import io.everheap.error.EverheapException;
import io.everheap.error.HeapClosedException;
import io.everheap.error.PoisonedException;
import io.everheap.log.GroupCommit;
import io.everheap.log.RecordBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The append side of the redo log of one epoch.
 *
 * <p>A record is appended by the thread that holds the writer lock: {@link #reserve}, then for each
 * part {@link #openPart}, stores to {@link #buffer} and {@link #closePart}. Any thread may wait
 * with {@link #awaitDurable}; the first that waits does the work for all. Methods marked "any
 * thread" are thread-safe, the others belong to the holder of the writer lock.
 *
 * <p>The order in which an epoch starts, and which the caller keeps:
 *
 * <ol>
 *   <li>Recovery has read the log of the previous epoch ({@link LogReader}), written its end again
 *       ({@link RecoveredLog#persist}), and applied it.
 *   <li>{@link Logs#start}: a segment of the new epoch exists, its header is durable. Nothing that
 *       the previous epoch's recovery needs has changed, neither its segments nor the ring.
 *   <li>Either the caller makes a superblock durable that says that the log of the previous epochs
 *       goes on with the new one, its start LSN and chain; then {@link #begin}: the ring is reset,
 *       and records may be appended. Later a full checkpoint is durable, and a superblock that
 *       names the new epoch alone; then {@link #recycleOld}: the segments of older epochs become
 *       free.
 *   <li>Or the checkpoint and that superblock come first, and {@link #recycleOld} does both.
 * </ol>
 *
 * <p>Any failure to make the log durable poisons it: {@link #durable} never advances again, nothing
 * more is written, and every thread that waits, or calls later, gets a {@link
 * io.everheap.error.PoisonedException}.
 */
public abstract class Log implements AutoCloseable {
  final PartSealer sealer;
  private int open = -1; // room of the open part

  Log(PartSealer sealer) {
    this.sealer = sealer;
  }

  /** The exceptions of a heap whose log ended. */
  static GroupCommit.Refusals refusals(String location) {
    return new GroupCommit.Refusals(location, HeapClosedException::new, PoisonedException::new);
  }

  /**
   * Makes room for a part behind the last one.
   *
   * @param bytes most that it will take
   * @return what it takes with padding
   */
  abstract int place(int bytes);

  /**
   * Seals the part in the buffer at the place that was made.
   *
   * @param length in bytes
   * @param flags {@link PartLayout#MORE} or 0
   * @return the LSN after it
   */
  abstract long seal(int length, int flags);

  /** The room in segments; null for a log that keeps none. */
  @Nullable LogSpace space() {
    return null;
  }

  /** The largest part in bytes, header included. */
  public static int maxPart() {
    return PartLayout.MAX_PART;
  }

  /**
   * Makes what {@link #begin} needs, so that it needs no space.
   *
   * @return false if the disk is full
   */
  public abstract boolean prepare();

  /**
   * Lets the new epoch go: resets the ring. To be called once, when a superblock that names the new
   * epoch is durable.
   *
   * @throws io.everheap.error.DiskFullException when there is no room for the ring or the spare
   *     segment
   */
  public abstract void begin();

  /**
   * Frees the segments of older epochs, when the superblock that names the new epoch alone is
   * durable. Begins, unless {@link #begin} was called.
   *
   * @throws io.everheap.error.DiskFullException when there is no room for the ring or the spare
   *     segment
   */
  public abstract void recycleOld();

  /** Bytes of segments of older epochs that are not free yet. Any thread. */
  public final long old() {
    LogSpace space = space();
    return space == null ? 0 : space.old();
  }

  /**
   * Makes sure that a record fits. Entries that fit into one part are in one part; otherwise each
   * part but the last is at least half full. May wait for the medium.
   *
   * @param bytes that the entries take, without headers and padding
   * @throws io.everheap.error.DiskFullException when a further segment is needed and cannot be
   *     made; nothing was appended, and smaller records may still fit
   * @throws io.everheap.error.PoisonedException after a failure
   */
  public abstract void reserve(long bytes);

  /**
   * Opens a part. May wait until the medium has taken older parts. A part that was opened and not
   * closed leaves nothing behind.
   *
   * @param bytes most that the part will take including its header; up to {@link #maxPart}
   * @return offset in {@link #buffer} where its header goes; entries start {@link
   *     PartLayout#HEADER_SIZE} bytes later
   */
  public final int openPart(int bytes) {
    if (bytes < PartLayout.HEADER_SIZE || bytes > PartLayout.MAX_PART) {
      throw new IllegalArgumentException("a part of " + bytes + " bytes");
    }
    open = place(bytes);
    return 0;
  }

  /** Where parts are built; valid until the next {@link #openPart} or {@link #close}. */
  public final RecordBuffer buffer() {
    return sealer.buffer();
  }

  /**
   * Completes the open part: pads it with zeros, writes its header and publishes it. On
   * byte-addressable media it is durable on return.
   *
   * @param length of the part in bytes, header included
   * @param more whether a further part of the same transaction follows
   * @return the LSN after it
   */
  public final long closePart(int length, boolean more) {
    if (length < PartLayout.HEADER_SIZE || length > open) {
      throw new IllegalArgumentException(length + " bytes in a part of " + open);
    }
    open = -1;
    return seal(length, more ? PartLayout.MORE : 0);
  }

  /** The LSN after the newest complete part. Any thread. */
  public abstract long appended();

  /** The LSN below which everything is durable. Any thread. */
  public abstract long durable();

  /** The crc of the newest complete part, the chain value at {@link #appended}. */
  public final int chain() {
    return sealer.chain();
  }

  /**
   * Returns when everything below an LSN is durable. Any thread, interrupted or not; an interrupt
   * does not end the wait and stays set.
   *
   * @param lsn at most {@link #appended}
   * @throws io.everheap.error.PoisonedException after a failure, if {@code lsn} was not durable
   *     then
   */
  public abstract void awaitDurable(long lsn);

  /**
   * Runs an action when everything below an LSN is durable, and asks for that. Any thread. The
   * action runs once, in this thread or the one that did the sync, without any lock of the log; it
   * must not block or throw.
   *
   * @param lsn at most {@link #appended}
   * @param action gets null, or the failure because of which the outcome is unknown
   */
  public abstract void whenDurable(long lsn, Consumer<@Nullable EverheapException> action);

  /**
   * Tells the log that the heap must not go on, after a failure elsewhere. Any thread.
   *
   * @param cause the first one counts
   */
  public abstract void poison(Throwable cause);

  /**
   * Asks that everything appended so far be durable within a time, without waiting for it. Any
   * thread.
   *
   * @param nanos the time
   */
  public void syncWithin(long nanos) {}

  /**
   * Sets the listener for the failure of a write that no thread may be waiting for; once, before
   * the first record.
   *
   * @param listener gets the failure, in the thread that met it
   */
  public void onFailure(Consumer<Throwable> listener) {}

  /**
   * Sets the listener for a record that did not fit, since no segment could be made on a full disk,
   * although a checkpoint would free some; once, before the first record.
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
   * Whether little is left of the segment in use and none is ready to follow it, while a checkpoint
   * would free some. By the holder of the writer lock, or while it is free.
   */
  public final boolean isLow() {
    LogSpace space = space();
    return space != null && space.isLow();
  }

  /**
   * Makes a segment if one is missing, or waits until another thread has. Any thread.
   *
   * @return false if there is none because the disk is full or the log as large as it should be
   */
  public final boolean makeSpace() {
    LogSpace space = space();
    return space == null || space.makeSpace();
  }

  /**
   * Wakes threads that wait for what is durable, if an error of the virtual machine kept another
   * thread from that. To be called at times, by any thread.
   */
  public void look() {}

  /** What poisoned the log, or null. Any thread. */
  public abstract @Nullable Throwable failure();

  /**
   * Frees the segments that lie wholly below an LSN. Any thread.
   *
   * @param lsn of a checkpoint that is durable; everything below it is durable in the log, too
   */
  public final void recycleBelow(long lsn) {
    LogSpace space = space();
    if (space != null) {
      space.recycleBelow(lsn);
    }
  }

  /**
   * Deletes the segments that the next opening can do without. To be called at most once, when
   * nothing will be appended any more and a checkpoint of everything is durable.
   */
  public final void trim() {
    LogSpace space = space();
    if (space != null) {
      space.trim();
    }
  }

  /** Bytes of segments in use, counting what is still to be written to them. Any thread. */
  public abstract long used();

  /** Bytes that the log should take, see {@link LogOptions#limit}. Any thread. */
  public abstract long limit();

  /**
   * Ends the log without making anything durable; call {@link #awaitDurable} before. Waits for
   * writes in flight. A thread that still waits, or calls later, gets a {@link
   * io.everheap.error.HeapClosedException}.
   */
  @Override
  public abstract void close();
}
