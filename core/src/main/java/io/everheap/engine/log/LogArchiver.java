package io.everheap.engine.log;

import io.everheap.error.MediumException;
import io.everheap.log.LogTimer;
import io.everheap.log.SegmentHeader;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Copies the log to an archive while it is written, so that a heap can be restored as of any
 * transaction since a backup. The log keeps most of its segments for it ({@link LogHold}); if the
 * archive cannot be written, or not as fast, some are left out, with a warning, and a restore to a
 * later time needs a later backup.
 *
 * <p>The archive has the layout of a heap's log, and in it only what is durable in the heap. The
 * header of a segment is written last. Thread-safe.
 */
public final class LogArchiver implements AutoCloseable {
  private static final int BUFFER = 1 << 20;
  private static final long INTERVAL_NANOS = 1_000_000_000;

  private final Medium heap;
  private final Medium archive;
  private final UUID uuid;
  private final Log log;
  private final LogHold hold;
  private final ArchiveTimes times;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private final Map<Long, SegmentCopy> copies = new HashMap<>(); // by the LSN of its first part
  private final @Nullable LogTimer timer;
  private final long start; // LSN of the first segment, whose header is durable before any part
  private long number; // of the next segment in the archive
  private long next; // the LSN of the first segment that is not complete in the archive
  private long reached; // the LSN of the last segment in the archive
  private volatile long archived;
  private boolean warned;
  private boolean closed;

  private LogArchiver(
      Medium heap, Medium archive, UUID uuid, Log log, ArchiveTimes times, boolean background) {
    this.uuid = uuid;
    this.heap = heap;
    this.archive = archive;
    this.log = log;
    this.times = times;
    this.timer =
        background
            ? new LogTimer(this::tryCopy, INTERVAL_NANOS, "archive " + heap.location(), this::warn)
            : null;
    this.hold = log.hold(this::begin);
    this.start = hold.pieces().getFirst().first();
  }

  /**
   * Begins to archive a log: copies what earlier epochs left, so that there is no gap after a
   * crash.
   *
   * @param heap the medium of the log
   * @param archive receives the copies; closed by {@link #close}
   * @param background whether a thread copies once a second; if not, callers call {@link #copy}
   */
  public static LogArchiver start(
      Medium heap, Medium archive, UUID uuid, Log log, boolean background) {
    ArchiveTimes times = null;
    LogArchiver archiver;
    try {
      times = new ArchiveTimes(archive);
      archiver = new LogArchiver(heap, archive, uuid, log, times, background);
    } catch (RuntimeException | Error e) {
      if (times != null) {
        Closing.after(e, times::close);
      }
      Closing.after(e, archive::close);
      throw e;
    }
    try {
      archiver.copyOld(uuid);
      archiver.copy(); // the first segment of this epoch, before those of older ones are used again
    } catch (RuntimeException | Error e) {
      archiver.release();
      throw e;
    }
    return archiver;
  }

  /** Requests a copy in the background, which repeats from then on. */
  public void begin() {
    try {
      if (timer != null) {
        timer.request();
      }
    } catch (MediumException e) {
      warn(e); // the operating system cannot create a thread
    }
  }

  /**
   * Copies the segments that are not in the archive, before the first of them is used again: a
   * crash may have come between a checkpoint and the copy.
   *
   * @param heap that no log has been started on
   */
  public static void catchUp(Medium heap, Medium archive, UUID uuid) {
    copySegments(
        heap,
        archive,
        uuid,
        (segment, there) -> {
          long epoch = segment.requireHeader().epoch();
          long ordinal = segment.requireHeader().ordinal();
          // The last one may have grown. Those before it are complete in the archive, and perhaps
          // half overwritten in the heap.
          return there.find(epoch, ordinal) == null
              || (epoch == there.highestEpoch() && ordinal == there.highestOrdinal(epoch));
        });
  }

  /** Copies the segments of older epochs, to which the recovery added what was in the ring. */
  private void copyOld(UUID uuid) {
    List<String> old = hold.old();
    number = copySegments(heap, archive, uuid, (segment, there) -> old.contains(segment.name()));
  }

  /**
   * Copies segments over their copies, if they have one.
   *
   * @param wanted which ones, given what is in the archive
   * @return the number of the next segment in the archive
   */
  private static long copySegments(
      Medium heap,
      Medium archive,
      UUID uuid,
      BiPredicate<SegmentCatalog.Entry, SegmentCatalog> wanted) {
    SegmentCatalog there = SegmentCatalog.read(archive, uuid);
    long number = 0;
    for (SegmentCatalog.Entry copy : there.entries()) {
      number = Math.max(number, SegmentCatalog.number(copy.name()) + 1);
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    for (SegmentCatalog.Entry segment : SegmentCatalog.read(heap, uuid).entries()) {
      if (segment.header() != null && wanted.test(segment, there)) {
        SegmentHeader header = segment.requireHeader();
        SegmentCatalog.Entry copy = there.find(header.epoch(), header.ordinal());
        String name = copy == null ? LogLayout.name(number++) : copy.name();
        SegmentCopy.whole(heap, segment.name(), archive, name, buffer);
      }
    }
    return number;
  }

  /** Copies what is durable now. */
  public synchronized void copy() {
    long end = log.durable();
    boolean gap = hold.lost() > next;
    for (LogHold.Piece piece : hold.pieces()) {
      boolean begun = piece.first() < end || piece.first() == start; // else it has an old header
      if (begun && piece.first() >= next) {
        if (copied(piece, end)) {
          reached = piece.first();
        } else {
          gap = true;
        }
      }
    }
    if (gap) {
      warnGap();
    }
    // Only now: when a segment is used again, the one behind it is in the archive; see catchUp.
    next = Math.max(reached, hold.lost());
    copies.keySet().removeIf(first -> first < next);
    hold.advance(next);
    if (end > archived) {
      times.add(end);
      archived = end;
    }
  }

  /** Copies what is new in a segment; false if the segment was used again meanwhile. */
  private boolean copied(LogHold.Piece piece, long end) {
    SegmentCopy copy = copies.get(piece.first());
    if (copy == null) {
      copy = new SegmentCopy(heap, piece, archive, LogLayout.name(number++), buffer);
      copies.put(piece.first(), copy);
    }
    return copy.extend(end, () -> hold.lost() <= piece.first());
  }

  /**
   * Copies; a failure, of the virtual machine as well, does not end the thread. Even if that ends,
   * the hold stays: without it, segments are used again, and no later copy finds the gap.
   */
  private void tryCopy() {
    try {
      copy();
      warned = false;
    } catch (RuntimeException | Error e) {
      try {
        warn(e);
      } catch (RuntimeException | Error _) {
        // Java memory may be exhausted: the next attempt warns.
      }
    }
  }

  private void warn(Throwable cause) {
    if (!warned) {
      System.getLogger(LogArchiver.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the log cannot be archived: " + heap.location() + " to " + archive.location(),
              cause);
      warned = true; // only now: an error may have stopped the message
    }
  }

  private void warnGap() {
    System.getLogger(LogArchiver.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "the archive {0} of {1} has a gap before LSN {2}: take a backup",
            archive.location(),
            heap.location(),
            Long.toString(hold.lost()));
  }

  /**
   * Reads the archive from a place on, through all epochs, up to what was archived lately.
   *
   * @param lsn end of a transaction
   * @param chain CRC of the part before it
   * @throws io.everheap.error.ReplicationException if the archive does not have that place, or
   *     something else there
   * @throws io.everheap.error.CorruptException if it has a gap
   */
  public void read(long lsn, int chain, ArchivedParts to) {
    copy();
    LogReader.readParts(archive, uuid, lsn, chain, archived(), to);
  }

  /** The LSN up to which a log is in its archive; -1 if it has none. */
  public static long reach(@Nullable LogArchiver archiver) {
    return archiver == null ? -1 : archiver.archived;
  }

  /** The LSN up to which the log is in the archive. */
  public long archived() {
    return archived;
  }

  /** Copies the rest, and ends. Idempotent; called by one thread. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (timer != null) {
        timer.stop();
      }
      copy();
    } catch (RuntimeException e) {
      warn(e);
    } finally {
      release();
    }
  }

  private void release() {
    hold.close();
    times.close();
    archive.close();
  }
}
