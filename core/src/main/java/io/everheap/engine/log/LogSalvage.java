package io.everheap.engine.log;

import io.everheap.error.EverheapException;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The readable transactions of a log that may be damaged: all complete ones up to the damage. For
 * salvage; {@link LogReader} refuses such a log. Writes nothing. Used by one thread.
 */
public final class LogSalvage {
  private final LogOrigin origin;
  private final SegmentCatalog catalog;
  private final LogEnd reached;
  private long end;
  private long known;
  private @Nullable String damage;

  private LogSalvage(LogOrigin origin) {
    this.origin = origin;
    this.catalog = SegmentCatalog.read(origin.medium(), origin.uuid());
    this.reached = new LogEnd(origin, EntrySink.NOTHING);
    read();
    this.end = reached.lsn();
    this.known = Math.max(end, lastKnown());
  }

  /** Reads the log of one epoch from its start, as far as it is readable. */
  private static LogSalvage from(Medium medium, UUID uuid, EpochStart start, long minEnd) {
    return new LogSalvage(LogOrigin.of(medium, uuid, start, minEnd, LogOrigin.OPEN));
  }

  /**
   * Reads the log of several epochs as far as it is readable: up to the first epoch that does not
   * reach the start of the next one.
   *
   * @param minEnd the LSN that replay must reach
   * @return one or more, in the order of replay
   */
  public static List<LogSalvage> from(
      Medium medium, UUID uuid, List<EpochStart> epochs, long minEnd) {
    List<LogSalvage> runs = new ArrayList<>();
    for (int i = 0; i + 1 < epochs.size(); i++) {
      EpochStart next = epochs.get(i + 1);
      LogSalvage run =
          new LogSalvage(LogOrigin.of(medium, uuid, epochs.get(i), next.lsn(), next.lsn()));
      if (!run.reached.isAt(next)) {
        run.end = Math.min(run.end, next.lsn());
        run.known = Math.max(run.known, minEnd);
        if (run.damage == null) {
          run.damage =
              "the log of epoch " + epochs.get(i).epoch() + " ends before that of the next";
        }
        runs.add(run);
        return runs;
      }
      runs.add(run);
    }
    runs.add(from(medium, uuid, epochs.getLast(), minEnd));
    return runs;
  }

  /**
   * Reads the newest contiguous part of the log without a superblock: consecutive segments up to
   * the newest one, over several epochs if these are contiguous. A replay from an earlier LSN than
   * that of the checkpoint has the same result, as long as nothing is missing behind it.
   *
   * @return in the order of replay; empty if there is no segment
   */
  public static List<LogSalvage> newest(Medium medium) {
    Optional<UUID> heap = heap(medium);
    List<LogSalvage> runs = new ArrayList<>();
    if (heap.isEmpty()) {
      return runs;
    }
    SegmentCatalog all = SegmentCatalog.read(medium, heap.get());
    TreeSet<Long> epochs = new TreeSet<>(Comparator.reverseOrder());
    for (SegmentCatalog.Entry entry : all.entries()) {
      if (entry.header() != null) {
        epochs.add(entry.header().epoch());
      }
    }
    EpochStart after = null;
    for (long epoch : epochs) {
      SegmentHeader first = firstOfRun(all, epoch);
      EpochStart start = new EpochStart(epoch, first.first(), first.chain());
      LogSalvage run = from(medium, heap.get(), start, start.lsn());
      if (after != null && !run.reached.isAt(after)) {
        break;
      }
      runs.addFirst(run);
      if (first.ordinal() != 1) {
        break;
      }
      after = start;
    }
    return runs;
  }

  /** The heap to which most of the segments belong. */
  private static Optional<UUID> heap(Medium medium) {
    List<SegmentHeader> headers = new ArrayList<>();
    for (String name : SegmentCatalog.names(medium)) {
      try (MediumFile file = medium.open(name)) {
        SegmentHeader header = SegmentHeader.read(file, LogLayout.MAGIC);
        if (header != null) {
          headers.add(header);
        }
      }
    }
    return SegmentHeader.mostFrequentLog(headers);
  }

  private static SegmentHeader firstOfRun(SegmentCatalog all, long epoch) {
    SegmentHeader first = null;
    for (SegmentCatalog.Entry entry : all.entries()) {
      if (entry.of(epoch) && (first == null || entry.requireHeader().ordinal() > first.ordinal())) {
        first = entry.requireHeader();
      }
    }
    if (first == null) {
      throw new IllegalArgumentException("no segment of epoch " + epoch);
    }
    SegmentCatalog.Entry before = all.find(epoch, first.ordinal() - 1);
    while (before != null && before.requireHeader().first() <= first.first()) {
      first = before.requireHeader();
      before = all.find(epoch, first.ordinal() - 1);
    }
    return first;
  }

  private void read() {
    LogWalk walk;
    try {
      walk = new LogWalk(origin, catalog, reached);
      walk.walkSegments();
    } catch (EverheapException e) {
      damage = e.getMessage();
      return;
    }
    if (origin.until() != LogOrigin.OPEN) {
      return; // another epoch follows; records behind its start do not count
    }
    try {
      new LogTailCheck(origin, catalog, walk.segment(), walk.offset(), walk.segmentEnd()).check();
    } catch (EverheapException e) {
      damage = e.getMessage(); // the ring may still have the missing records
    }
    try {
      walk.walkRing();
    } catch (EverheapException e) {
      damage = e.getMessage();
    }
  }

  /** The highest LSN that the log is known to have reached. */
  private long lastKnown() {
    long highest = origin.minEnd();
    for (SegmentCatalog.Entry entry : catalog.entries()) {
      if (damage != null && entry.of(origin.epoch())) {
        highest = Math.max(highest, entry.requireHeader().first());
        if (entry.requireHeader().alignment() == LogLayout.BATCHES) {
          highest = Math.max(highest, lastBatch(entry));
        }
      }
    }
    return highest;
  }

  private long lastBatch(SegmentCatalog.Entry entry) {
    long highest = 0;
    try (LogImage image = LogImage.read(origin.medium(), entry.name(), entry.size())) {
      ByteBuffer b = image.bytes();
      for (long at = SegmentLayout.START;
          at + BatchLayout.HEADER_SIZE <= b.limit();
          at += SegmentLayout.BLOCK) {
        if (BatchLayout.valid(b, (int) at, origin.key(), origin.epoch())) {
          long start = b.getLong((int) at + BatchLayout.START_LSN);
          highest = Math.max(highest, start + b.getInt((int) at + BatchLayout.LENGTH));
        }
      }
    }
    return highest;
  }

  /** The LSN at which replay starts. */
  public long start() {
    return origin.lsn();
  }

  /** The uuid of the heap. */
  public UUID uuid() {
    return origin.uuid();
  }

  /** The LSN behind the newest complete transaction before the damage. */
  public long end() {
    return end;
  }

  /** The LSN that the log is known to have reached; above {@link #end} if commits are lost. */
  public long known() {
    return known;
  }

  /** The number of transactions to replay. */
  public long transactions() {
    return reached.transactions();
  }

  /** Why the log could not be read further, if it is known to be longer. */
  public Optional<String> damage() {
    return known > end ? Optional.ofNullable(damage) : Optional.empty();
  }

  /** Whether this part of the log contains all changes that the home image may have. */
  public boolean reachesHome() {
    return end >= origin.minEnd();
  }

  /**
   * Passes all entries up to {@link #end} to a sink, in the order of the log.
   *
   * @param medium with the same files
   */
  public void replay(Medium medium, EntrySink sink) {
    LogOrigin from =
        new LogOrigin(
            medium,
            origin.uuid(),
            origin.epoch(),
            origin.lsn(),
            origin.chain(),
            origin.minEnd(),
            origin.until());
    if (end == origin.lsn()) {
      return;
    }
    try {
      LogWalk walk =
          new LogWalk(
              from,
              catalog,
              (image, at, field, lsn) -> {
                if (lsn < end && (field & PartLayout.PAD) == 0) {
                  EntryReader.read(image.memory(), at, PartLayout.length(field), sink);
                }
              });
      walk.walkSegments();
      walk.walkRing();
    } catch (EverheapException e) {
      if (damage == null) {
        throw e; // it was readable before
      }
    }
  }
}
