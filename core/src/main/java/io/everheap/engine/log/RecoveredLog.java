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

  /** The LSN after the newest complete transaction; the next epoch starts there. */
  public long end() {
    return end;
  }

  /** The crc of the part before {@link #end}. */
  public int chain() {
    return chain;
  }

  /** How many transactions there are. */
  public long transactions() {
    return transactions;
  }

  /** Bytes of the log that they take. */
  public long bytes() {
    return end - (ended.isEmpty() ? origin : ended.getFirst()).lsn();
  }

  /** Bytes behind the end that were begun and not completed. */
  public long discarded() {
    return discarded;
  }

  /** Bytes that only the ring holds. */
  public long fromRing() {
    return fromRing;
  }

  /** The highest epoch that the medium has seen in the log; the next one must be higher. */
  public long highestEpoch() {
    return Math.max(origin.epoch(), catalog.highestEpoch());
  }

  /** How many segments hold the log now. */
  public int segmentCount() {
    return segments.size();
  }

  /** Names of the segments that hold the log now; {@link Logs#start} must keep them. */
  public Set<String> segments() {
    return Set.copyOf(segments);
  }

  /**
   * Gives all entries to a sink, in the order of the log.
   *
   * @param sink takes them
   * @throws io.everheap.error.CorruptLogException when the medium does not return the same bytes as
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
   * The redo of the transactions by pages; before {@link #persist}.
   *
   * @param index that was made while the log was read
   */
  public Redo redo(RedoIndex index) {
    return new Redo(origin.medium(), index, walk == null ? "" : walk.segment().name(), end);
  }

  /**
   * Makes the whole log durable by writing again what may be in a cache only: what a killed process
   * left behind, or a device failed to sync. Must be done before changes of these transactions are
   * written to the home image. The same bytes go to the same LSNs, so a crash meanwhile does no
   * harm.
   *
   * @param options how to write; if the ring has much to be saved, segments are made
   * @throws io.everheap.error.DiskFullException when there is no room for the ring's contents
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
      again.walkRing(); // only the last epoch's can be there
    }
    if (again.end() < to) {
      throw origin.corrupt(again.segment().name(), offset, "it changed while it was being read");
    }
  }
}
