package io.everheap.engine.log;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The complete transactions that {@link LogReader} found. Used by one thread, before the new epoch
 * starts.
 */
public final class RecoveredLog {
  private final List<LogOrigin> ended; // epochs before the last one
  private final LogOrigin origin; // of the last one
  private final SegmentCatalog catalog;
  private final @Nullable LogWalk walk; // finished; null if nothing was walked
  private final long end;
  private final int chain;
  private final long transactions;
  private final long discarded;
  private final long fromRing;
  private final Set<String> segments;

  RecoveredLog(
      List<LogOrigin> ended,
      LogOrigin origin,
      SegmentCatalog catalog,
      @Nullable LogWalk walk,
      long end,
      int chain,
      long transactions,
      long discarded,
      long fromRing,
      Set<String> segments) {
    this.ended = List.copyOf(ended);
    this.origin = origin;
    this.catalog = catalog;
    this.walk = walk;
    this.end = end;
    this.chain = chain;
    this.transactions = transactions;
    this.discarded = discarded;
    this.fromRing = fromRing;
    this.segments = segments;
  }

  /** The LSN behind the newest complete transaction; the next epoch starts there. */
  public long end() {
    return end;
  }

  /** The crc of the part before {@link #end}. */
  public int chain() {
    return chain;
  }

  /** The number of complete transactions. */
  public long transactions() {
    return transactions;
  }

  /** Size of the log that they take, in bytes. */
  public long bytes() {
    return end - (ended.isEmpty() ? origin : ended.getFirst()).lsn();
  }

  /** Size of the incomplete record behind the end, in bytes. */
  public long discarded() {
    return discarded;
  }

  /** Size of the part of the log that is only in the ring, in bytes. */
  public long fromRing() {
    return fromRing;
  }

  /** The highest epoch on the medium; the next one must be higher. */
  public long highestEpoch() {
    return Math.max(origin.epoch(), catalog.highestEpoch());
  }

  /** The number of segments that contain the log now. */
  public int segmentCount() {
    return segments.size();
  }

  /** Names of the segments that contain the log now; {@link Logs#start} must keep them. */
  public Set<String> segments() {
    return Set.copyOf(segments);
  }

  /**
   * Passes all entries to a sink, in the order of the log.
   *
   * @param sink receives them
   * @throws io.everheap.error.CorruptException if the medium does not return the same bytes as
   *     before
   */
  public void replay(EntrySink sink) {
    replayEnded(sink);
    walkAgain(walk(origin, end, sink), end);
  }

  private void replayEnded(EntrySink sink) {
    for (LogOrigin epoch : ended) {
      walkAgain(walk(epoch, epoch.until(), sink), epoch.until());
    }
  }

  private LogWalk walk(LogOrigin from, long to, EntrySink sink) {
    return new LogWalk(
        from,
        catalog,
        (image, at, field, lsn) -> {
          if (lsn < to && (field & PartLayout.PAD) == 0) {
            int length = PartLayout.length(field);
            EntryReader.read(image.memory(), at, length, sink);
            if ((field & PartLayout.MORE) == 0) {
              sink.committed(lsn + length);
            }
          }
        });
  }

  /**
   * Creates the redo of the transactions by pages; called before {@link #persist}.
   *
   * @param index that was built while the log was read
   */
  public Redo redo(RedoIndex index) {
    return new Redo(origin.medium(), index, walk == null ? "" : walk.segment().name(), end);
  }

  /**
   * Makes the whole log durable by writing again what may be only in a cache: what a killed process
   * left in the page cache or the ring, or what a device failed to sync. Must be done before
   * changes of these transactions are written to the home image. The same bytes are written at the
   * same LSNs, so a crash meanwhile is harmless.
   *
   * @param options settings of the log; segments are created if the ring has much to save
   * @throws io.everheap.error.DiskFullException if there is no space for the contents of the ring
   */
  public void persist(LogOptions options) {
    if (walk != null) {
      new LogPersister(origin, options, segments, end).persist(walk);
    }
  }

  private void walkAgain(LogWalk again, long to) {
    again.walkSegments();
    int offset = again.offset();
    if (again.end() < to) {
      again.walkRing(); // only the last epoch can have parts in the ring
    }
    if (again.end() < to) {
      throw origin.corrupt(again.segment().name(), offset, "it changed while it was being read");
    }
  }
}
