package io.everheap.engine.log;

import java.util.List;

/**
 * Keeps log segments from being recycled, while they are copied. Until {@link #advance} is called,
 * all segments stay, so the log grows beyond its limit and transactions wait: copy promptly.
 * Thread-safe.
 */
public final class LogHold implements AutoCloseable {
  private final SegmentPool pool;
  private volatile long lsn;

  LogHold(SegmentPool pool) {
    this.pool = pool;
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

  /** Releases the segments whose parts all lie below an LSN. */
  public void advance(long to) {
    lsn = to;
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
