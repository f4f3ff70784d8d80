package io.everheap.engine.log;

import io.everheap.error.DiskFullException;
import java.util.function.LongSupplier;

/**
 * Counts the room in segments, so that a record that was begun can always be written. Costs are
 * pessimistic, as if every part became a batch of its own; when the credit is used up, the room is
 * looked up again. Belongs to the holder of the writer lock.
 */
final class LogSpace {
  /** Segments to promise for more than the next record, if they are ready. */
  private static final int LEAST_PROMISED = 2;

  private final SegmentPool pool;
  private final int partOverhead;
  private final long padEvery;
  private final long usable;
  private final LongSupplier left;
  private Runnable whenFull = () -> {};
  private long credit;

  /**
   * Room in the segments of a pool.
   *
   * @param partOverhead most bytes that a part takes besides its length
   * @param padEvery least number of bytes of parts between two pads
   * @param usable bytes of parts and overheads that certainly fit into an empty segment
   * @param left bytes that certainly still fit into the segment in use, after everything appended
   *     has been written; may be negative
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

  /** Takes the room for a record, making segments if need be. */
  void reserve(long entryBytes) {
    long cost = cost(entryBytes);
    if (cost > credit) {
      refill(cost);
    }
    credit -= cost;
  }

  /** Most bytes of segments that a record with these entries can take. */
  long cost(long entryBytes) {
    long parts = 2 * (entryBytes / (PartLayout.MAX_PART - PartLayout.HEADER_SIZE)) + 1;
    long bytes =
        entryBytes
            + parts * (PartLayout.HEADER_SIZE + PartLayout.DIRECT_ALIGNMENT + (long) partOverhead);
    long pads = bytes < padEvery ? 1 : bytes / padEvery + 1; // a division would show in each commit
    return bytes + pads * Math.min(bytes, PartLayout.MAX_PART);
  }

  private void refill(long cost) {
    credit = look(cost);
    while (credit < cost) {
      addSegment();
      credit = look(cost);
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

  /** Whether less than half a segment is left of the one in use, and none follows. */
  boolean isLow() {
    return pool.isScarce() && left.getAsLong() < usable / 2;
  }

  /** See {@link SegmentPool#oldBytes}. */
  long old() {
    return pool.oldBytes();
  }

  /** See {@link SegmentPool#makeSpace}. */
  boolean makeSpace() {
    return pool.makeSpace();
  }

  /** See {@link SegmentPool#recycleBelow}. */
  void recycleBelow(long lsn) {
    pool.recycleBelow(lsn);
  }

  /** See {@link SegmentPool#trimToLeast}. */
  void trim() {
    pool.trimToLeast();
  }

  private long look(long cost) {
    // The segment in use first: should it be replaced in between, too little is found, not too
    // much.
    long inUse = left.getAsLong();
    long needed = Math.max(LEAST_PROMISED, (cost - inUse + usable - 1) / usable);
    return inUse + pool.promise((int) Math.min(needed, Integer.MAX_VALUE)) * usable;
  }
}
