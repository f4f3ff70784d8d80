package io.everheap.engine.log;

import io.everheap.error.ReplicationException;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Reads the log from the LSN of a checkpoint, through the epochs that followed it. Writes nothing,
 * on any medium. It treats the log as untrusted input: reading ends at a complete transaction, at a
 * torn tail, or with an exception that names file and offset, within time and memory bounded by the
 * size of the log. Used by one thread.
 */
public final class LogReader {
  private final LogOrigin origin;
  private final SegmentCatalog catalog;
  private final LogEnd end;

  private LogReader(LogOrigin origin, SegmentCatalog catalog, EntrySink sink) {
    this.origin = origin;
    this.catalog = catalog;
    this.end = new LogEnd(origin, sink);
  }

  /**
   * Finds the complete transactions in the log.
   *
   * @param medium that holds the heap
   * @param uuid of the heap
   * @param epoch of the superblock
   * @param lsn of the superblock: the first part to replay
   * @param chain crc of the part before it, from the superblock
   * @param minEnd the LSN that replay must reach
   * @return the complete transactions
   * @throws io.everheap.error.CorruptException if something that was durable is missing or damaged
   */
  public static RecoveredLog read(
      Medium medium, UUID uuid, long epoch, long lsn, int chain, long minEnd) {
    return read(
        medium, uuid, List.of(new EpochStart(epoch, lsn, chain)), minEnd, EntrySink.NOTHING);
  }

  /**
   * Finds the complete transactions in a log of several epochs, each of which counts up to the
   * start of the next one.
   *
   * @param epochs of the superblock, at least one, from the one in which replay starts
   * @param sink receives all entries that are read; those of a transaction that is not complete are
   *     not followed by {@link EntrySink#committed}
   */
  public static RecoveredLog read(
      Medium medium, UUID uuid, List<EpochStart> epochs, long minEnd, EntrySink sink) {
    SegmentCatalog catalog = SegmentCatalog.read(medium, uuid);
    List<LogOrigin> ended = new ArrayList<>();
    Set<String> walked = new LinkedHashSet<>();
    long transactions = 0;
    for (int i = 0; i + 1 < epochs.size(); i++) {
      EpochStart next = epochs.get(i + 1);
      LogOrigin origin = LogOrigin.of(medium, uuid, epochs.get(i), next.lsn(), next.lsn());
      LogReader reader = new LogReader(origin, catalog, sink);
      walked.addAll(reader.readUntil(next));
      transactions += reader.end.transactions();
      ended.add(origin);
    }
    LogOrigin last = LogOrigin.of(medium, uuid, epochs.getLast(), minEnd, LogOrigin.OPEN);
    LogReader reader = new LogReader(last, catalog, sink);
    return reader.readLast(ended, walked, transactions);
  }

  /**
   * Reads the transactions of a copied log that end at or before an LSN, through all epochs on the
   * medium. What is behind the last one may be torn or incomplete, since the copy may have been
   * made while the log was written.
   *
   * @param start of the epoch in which the reading begins
   * @param until the LSN
   * @param sink receives all entries that are read; those of a transaction that is not complete are
   *     not followed by {@link EntrySink#committed}
   * @return the end of the last transaction and the CRC of the part before it, with the number of
   *     an epoch that can follow
   * @throws io.everheap.error.CorruptException if there is a gap before the LSN
   */
  public static EpochStart readUntil(
      Medium medium, UUID uuid, EpochStart start, long until, EntrySink sink) {
    SegmentCatalog catalog = SegmentCatalog.read(medium, uuid);
    EpochStart at = start;
    while (true) {
      EpochStart next = catalog.epochAfter(at);
      long end = next == null ? until : Math.min(until, next.lsn());
      LogOrigin origin = LogOrigin.of(medium, uuid, at, at.lsn(), end);
      LogReader reader = new LogReader(origin, catalog, sink);
      LogWalk walk = reader.walkUntil(end);
      if (next == null || next.lsn() > until) {
        requireNoneBehind(origin, catalog, walk, until);
        return new EpochStart(
            Math.max(at.epoch(), catalog.highestEpoch()) + 1, reader.end.lsn(), reader.end.chain());
      }
      reader.requireEnd(next, walk);
      at = next;
    }
  }

  /**
   * Reads the parts of a copied log, through all epochs on the medium, from the end of a
   * transaction on.
   *
   * @param lsn of that end
   * @param chain crc of the part before it
   * @param until LSN behind the last part
   * @throws ReplicationException if the log does not have that place
   * @throws io.everheap.error.CorruptException if there is a gap
   */
  static void readParts(
      Medium medium, UUID uuid, long lsn, int chain, long until, ArchivedParts to) {
    SegmentCatalog catalog = SegmentCatalog.read(medium, uuid);
    EpochStart at = catalog.epochOf(lsn, chain);
    if (at == null) {
      throw new ReplicationException(
          "The log in "
              + medium.location()
              + " does not reach back to LSN "
              + lsn
              + ", or has something else there: the replica must be made anew.");
    }
    while (true) {
      EpochStart next = catalog.epochAfter(at);
      long end = next == null ? until : Math.min(until, next.lsn());
      LogOrigin origin = LogOrigin.of(medium, uuid, at, at.lsn(), end);
      to.epoch(at);
      LogWalk walk =
          new LogWalk(
              origin,
              catalog,
              (image, offset, field, part) -> {
                int length = PartLayout.length(field);
                if (part + length <= end) {
                  byte[] bytes = new byte[length];
                  image.bytes().get(offset, bytes);
                  to.part(bytes, part + length, image.bytes().getInt(offset));
                }
              });
      walk.walkSegments();
      if (walk.end() < end) {
        throw origin.corrupt(
            walk.segment().name(),
            walk.offset(),
            "the log has a gap: it ends at LSN " + walk.end() + ", before LSN " + end);
      }
      if (next == null || next.lsn() >= until) {
        return;
      }
      at = next;
    }
  }

  /** Reads the parts that end at or before a LSN. */
  private LogWalk walkUntil(long until) {
    LogWalk walk =
        new LogWalk(
            origin,
            catalog,
            (image, at, field, lsn) -> {
              if (lsn + PartLayout.length(field) <= until) {
                end.part(image, at, field, lsn);
              }
            });
    walk.walkSegments();
    return walk;
  }

  /** Throws if the walk ended before the LSN, although the epoch has a segment behind its end. */
  private static void requireNoneBehind(
      LogOrigin origin, SegmentCatalog catalog, LogWalk walk, long until) {
    long ordinal = walk.segment().requireHeader().ordinal();
    boolean more = catalog.highestOrdinal(origin.epoch()) > ordinal;
    if (walk.end() < until && (more || until != LogOrigin.OPEN)) {
      throw origin.corrupt(
          walk.segment().name(),
          walk.offset(),
          "the log ends at LSN "
              + walk.end()
              + (more ? ", but a later segment is there" : ", before LSN " + until));
    }
  }

  /** Reads an epoch that is not the last one; it must end exactly at the start of the next one. */
  private Set<String> readUntil(EpochStart next) {
    LogWalk walk = new LogWalk(origin, catalog, end);
    walk.walkSegments();
    requireEnd(next, walk);
    return walk.walked();
  }

  private void requireEnd(EpochStart next, LogWalk walk) {
    if (!end.isAt(next)) {
      throw origin.corrupt(
          walk.segment().name(),
          walk.offset(),
          "the log of epoch "
              + origin.epoch()
              + " ends at LSN "
              + end.lsn()
              + ", but epoch "
              + next.epoch()
              + " follows it at LSN "
              + next.lsn());
    }
  }

  /**
   * Returns evidence that the segments on a medium belong to a heap that was created completely;
   * empty if its creation may have been interrupted.
   *
   * @param medium that may hold a log, of any heap
   */
  public static Optional<String> evidence(Medium medium) {
    for (String name : SegmentCatalog.names(medium)) {
      try (LogImage image =
          LogImage.read(medium, name, SegmentLayout.START + (long) PartLayout.MAX_PART)) {
        ByteBuffer bytes = image.bytes();
        int version = SegmentHeader.version(bytes, LogLayout.MAGIC);
        if (version != 0 && version != LogLayout.FORMAT_VERSION) {
          return Optional.of(
              "has format version "
                  + version
                  + ", of which this library cannot tell what it holds");
        }
        SegmentHeader header =
            SegmentHeader.decode(
                bytes.slice(0, SegmentLayout.HEADER_SIZE).order(bytes.order()), LogLayout.MAGIC);
        if (header != null && LogTailCheck.beginsWithRecord(bytes, header)) {
          return Optional.of("holds transactions");
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the log of a heap that was closed: nothing is behind the LSN of its last superblock, so
   * only the headers of the segments are read.
   *
   * @throws io.everheap.error.CorruptException if there are records of a later epoch
   */
  public static RecoveredLog closed(Medium medium, UUID uuid, long epoch, long lsn, int chain) {
    LogOrigin origin = new LogOrigin(medium, uuid, epoch, lsn, chain, lsn, LogOrigin.OPEN);
    SegmentCatalog catalog = SegmentCatalog.read(medium, uuid);
    LogTailCheck.requireNoLaterEpoch(origin, catalog);
    return new RecoveredLog(List.of(), origin, catalog, null, lsn, chain, 0, 0, 0, Set.of());
  }

  private RecoveredLog readLast(List<LogOrigin> ended, Set<String> walked, long before) {
    LogWalk walk = new LogWalk(origin, catalog, end);
    walk.walkSegments();
    long offset = walk.offset();
    new LogTailCheck(origin, catalog, walk.segment(), offset, walk.segmentEnd()).check();
    walk.walkRing();
    if (end.lsn() < origin.minEnd()) {
      throw origin.corrupt(
          walk.segment().name(),
          offset,
          "the log ends at LSN "
              + end.lsn()
              + ", but the home image may hold changes up to LSN "
              + origin.minEnd());
    }
    walked.addAll(walk.walked());
    return new RecoveredLog(
        ended,
        origin,
        catalog,
        walk,
        end.lsn(),
        end.chain(),
        before + end.transactions(),
        walk.end() - end.lsn() + (walk.end() == walk.segmentEnd() ? walk.tornBytes() : 0),
        Math.max(0, end.lsn() - walk.segmentEnd()),
        walked);
  }
}
