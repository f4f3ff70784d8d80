package io.everheap.engine.log;

import io.everheap.error.DiskFullException;
import java.util.function.LongSupplier;

/**
 * Reserves space in segments, so that a record that was begun can always be written. Costs are
 * upper bounds, as if every part were a batch of its own; when the credit is used up, the space is
 * computed again. The credit is guarded by the writer lock; methods that only call the {@link
 * SegmentPool} are for any thread.
 */
final class LogSpace {
  /** Segments to reserve if they are ready, even if the next record needs fewer. */
  private static final int MIN_PROMISED = 2;

  private final SegmentPool pool;
  private final int partOverhead;
  private final long padEvery;
  private final long usable;
  private final LongSupplier left;
  private Runnable whenFull = () -> {};
  private long credit;

  /**
   * Creates the accounting of the segments of a pool.
   *
   * @param partOverhead maximum overhead of a part, in bytes
   * @param padEvery minimum size of the parts between two pads, in bytes
   * @param usable bytes of parts and overheads that certainly fit into an empty segment
   * @param left bytes that certainly fit into the current segment after everything appended is
   *     written; may be negative
   */
  LogSpace(SegmentPool pool, int partOverhead, long padEvery, long usable, LongSupplier left) {
    this.pool = pool;
    this.partOverhead = partOverhead;
    this.padEvery = padEvery;
    this.usable = usable;
    this.left = left;
  }

  /** Sets the listener for a full disk although a checkpoint would free segments. */
  void onFull(Runnable listener) {
    whenFull = listener;
  }

  /** Reserves space for a record; creates segments if necessary. */
  void reserve(long entryBytes) {
    long cost = cost(entryBytes);
    if (cost > credit) {
      refill(cost);
    }
    credit -= cost;
  }

  /** Maximum space that a record with entries of this size takes in segments, in bytes. */
  long cost(long entryBytes) {
    long parts = 2 * (entryBytes / (PartLayout.MAX_PART - PartLayout.HEADER_SIZE)) + 1;
    long bytes =
        entryBytes
            + parts * (PartLayout.HEADER_SIZE + PartLayout.DIRECT_ALIGNMENT + (long) partOverhead);
    long pads = bytes < padEvery ? 1 : bytes / padEvery + 1; // mostly without the slow division
    return bytes + pads * Math.min(bytes, PartLayout.MAX_PART);
  }

  private void refill(long cost) {
    credit = available(cost);
    while (credit < cost) {
      addSegment();
      credit = available(cost);
    }
  }

  private void addSegment() {
    try {
      pool.add();
    } catch (DiskFullException e) {
      if (pool.isReclaimable()) {
        whenFull.run();
      }
      throw e;
    }
  }

  /** Whether less than half of the current segment is left, and none is ready to follow. */
  boolean isLow() {
    return pool.isScarce() && left.getAsLong() < usable / 2;
  }

  /** See {@link SegmentPool#oldBytes}. */
  long old() {
    return pool.oldBytes();
  }

  /** See {@link SegmentPool#ensureSpace}. */
  boolean ensureSpace() {
    return pool.ensureSpace();
  }

  /** See {@link SegmentPool#follow}. */
  void follow(long capacity) {
    pool.follow(capacity);
  }

  /** See {@link SegmentPool#recycleBelow}. */
  void recycleBelow(long lsn) {
    pool.recycleBelow(lsn);
  }

  /** See {@link SegmentPool#hold}. */
  LogHold hold(Runnable onSegment) {
    return pool.hold(onSegment);
  }

  /** See {@link SegmentPool#trimToMinimum}. */
  void trim() {
    pool.trimToMinimum();
  }

  private long available(long cost) {
    // The current segment first: if it is replaced meanwhile, the result is too low, not too high.
    long inUse = left.getAsLong();
    long needed = Math.max(MIN_PROMISED, (cost - inUse + usable - 1) / usable);
    return inUse + pool.promise((int) Math.min(needed, Integer.MAX_VALUE)) * usable;
  }
}
