package io.everheap.engine.log;

import java.util.List;

/**
 * Keeps log segments from being recycled until they are copied. All segments stay from the one on
 * to which {@link #advance} was called; if they fill the log, transactions wait. Thread-safe.
 */
public final class LogHold implements AutoCloseable {
  private final SegmentPool pool;
  private final Runnable onSegment;
  private volatile long lsn;

  LogHold(SegmentPool pool, Runnable onSegment) {
    this.pool = pool;
    this.onSegment = onSegment;
  }

  /**
   * A segment file in use.
   *
   * @param name relative to the heap
   * @param first LSN of its first part
   * @param complete whether another segment follows it, so that its contents stay as they are
   */
  public record Piece(String name, long first, boolean complete) {}

  /** The segments in use, oldest first; the last one may still be written to. */
  public List<Piece> pieces() {
    return pool.pieces();
  }

  /** Names of the segments of older epochs, from which the heap was recovered. */
  List<String> old() {
    return pool.old();
  }

  /** Releases the segments whose parts all lie below an LSN. */
  public void advance(long to) {
    lsn = to;
    pool.recycle();
  }

  void segmentBegan() {
    onSegment.run();
  }

  long lsn() {
    return lsn;
  }

  /** Releases all segments. */
  @Override
  public void close() {
    pool.release(this);
  }
}
