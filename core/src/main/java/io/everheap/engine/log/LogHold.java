package io.everheap.engine.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps log segments from being recycled until they are copied: all from the one on to which {@link
 * #advance} was called, but at most three quarters of the log, so that transactions never wait for
 * a copy. If they become more, the oldest ones are used again. A copier therefore compares {@link
 * #lost} after it has read a segment. Thread-safe.
 */
public final class LogHold implements AutoCloseable {
  private final @Nullable SegmentPool pool; // null if there are no segments to keep
  private final Runnable onSegment;
  private volatile long lsn;
  private volatile long lost;

  LogHold(@Nullable SegmentPool pool, Runnable onSegment) {
    this.pool = pool;
    this.onSegment = onSegment;
  }

  /** A hold that keeps no segments, for the copy of an image that needs no log. */
  public static LogHold ofNoSegments() {
    return new LogHold(null, () -> {});
  }

  /**
   * A segment file in use.
   *
   * @param name relative to the heap
   * @param first LSN of its first part
   * @param written where its durable parts end; behind are zeros, or what has no meaning any more
   * @param complete whether another segment follows it, so that its contents stay as they are
   */
  public record Piece(String name, long first, long written, boolean complete) {}

  /** The segments in use, oldest first; the last one may still be written to. */
  public List<Piece> pieces() {
    return pool == null ? List.of() : pool.pieces();
  }

  /** Names of the segments of older epochs, from which the heap was recovered. */
  List<String> old() {
    return pool == null ? List.of() : pool.old();
  }

  /** Releases the segments whose parts all lie below an LSN. */
  public void advance(long to) {
    raise(to);
    if (pool != null) {
      pool.recycle();
    }
  }

  private synchronized void raise(long to) {
    lsn = Math.max(lsn, to);
  }

  void segmentBegan() {
    onSegment.run();
  }

  long lsn() {
    return lsn;
  }

  /** Gives up the segments whose parts all lie below an LSN; called with the pool's lock held. */
  void lose(long to) {
    lost = to;
    raise(to);
  }

  /** The LSN below which segments were used again although they had not been copied; or 0. */
  public long lost() {
    return lost;
  }

  /** Releases all segments. */
  @Override
  public void close() {
    if (pool != null) {
      pool.release(this);
    }
  }
}
