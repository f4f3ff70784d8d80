package io.everheap.engine.log;

import io.everheap.error.MediumException;
import io.everheap.log.LogTimer;
import io.everheap.log.SegmentHeader;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Copies the log to an archive while it is written, so that a heap can be restored as of any
 * transaction since a backup. Segments are recycled only when they are in the archive. If it cannot
 * be written, segments are kept until the log is half full; then they are given up, with a warning,
 * and a restore to a later time needs a later backup.
 *
 * <p>The archive has the layout of a heap's log. Beside it, the file {@value #TIMES} has a record
 * for each copy: time in milliseconds since 1970 u64, LSN up to which the archive reaches u64,
 * CRC32C of both u32, zero u32. Thread-safe.
 */
public final class LogArchiver implements AutoCloseable {
  /** Name of the file of times in an archive. */
  public static final String TIMES = "times";

  /** Size of a record in that file. */
  public static final int TIME = 24;

  private static final int BUFFER = 1 << 20;
  private static final long INTERVAL_NANOS = 1_000_000_000;

  private final Medium heap;
  private final Medium archive;
  private final Log log;
  private final LogHold hold;
  private final MediumFile times;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private final Map<Long, String> names = new HashMap<>(); // by the LSN of the segment's first part
  private final @Nullable LogTimer timer;
  private long number; // of the next segment in the archive
  private long next; // the LSN of the first segment that is not complete in the archive
  private volatile long archived;
  private boolean warned;
  private boolean closed;

  private LogArchiver(Medium heap, Medium archive, Log log, MediumFile times, boolean background) {
    this.heap = heap;
    this.archive = archive;
    this.log = log;
    this.times = times;
    this.timer =
        background
            ? new LogTimer(this::tryCopy, INTERVAL_NANOS, "archive " + heap.location(), this::end)
            : null;
    this.hold = log.hold(this::begin);
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
    MediumFile times;
    try {
      times = archive.exists(TIMES) ? archive.open(TIMES) : archive.create(TIMES);
    } catch (RuntimeException | Error e) {
      archive.close();
      throw e;
    }
    LogArchiver archiver = new LogArchiver(heap, archive, log, times, background);
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
        copy(heap, segment.name(), archive, name, buffer);
      }
    }
    return number;
  }

  /** Copies what is durable now. */
  public synchronized void copy() {
    long end = log.durable();
    List<LogHold.Piece> pieces = hold.pieces();
    for (LogHold.Piece piece : pieces) {
      boolean isNew = !names.containsKey(piece.first());
      if (piece.first() >= next && (piece.complete() || isNew || end > archived)) {
        String to = names.computeIfAbsent(piece.first(), first -> LogLayout.name(number++));
        copy(heap, piece.name(), archive, to, buffer);
      }
    }
    // Only now: when a segment is used again, the one behind it is in the archive; see catchUp.
    next = pieces.getLast().first();
    names.keySet().removeIf(first -> first < next);
    hold.advance(next);
    if (end > archived) {
      stamp(System.currentTimeMillis(), end);
      archived = end;
    }
  }

  private static void copy(Medium heap, String from, Medium archive, String to, ByteBuffer buffer) {
    boolean isNew = !archive.exists(to);
    try (MediumFile source = heap.open(from);
        MediumFile target = isNew ? archive.create(to) : archive.open(to)) {
      long size = source.size();
      for (long at = 0; at < size; at += BUFFER) {
        buffer.clear().limit((int) Math.min(BUFFER, size - at));
        if (source.read(buffer, at) == 0) {
          break;
        }
        target.write(buffer.flip(), at);
      }
      target.sync();
    }
    if (isNew) {
      archive.syncDirectory(LogLayout.DIRECTORY);
      archive.syncDirectory("");
    }
  }

  private void stamp(long millis, long end) {
    ByteBuffer b = ByteBuffer.allocate(TIME).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, millis).putLong(8, end).putInt(16, crc(b));
    times.write(b, times.size() / TIME * TIME);
    times.sync();
  }

  private static int crc(ByteBuffer record) {
    CRC32C crc = new CRC32C();
    crc.update(record.slice(0, 16));
    return (int) crc.getValue();
  }

  /**
   * The LSN up to which an archive reached at a time.
   *
   * @param millis since 1970
   * @return the LSN; -1 if it reached nothing then
   */
  public static long lsnAt(Medium archive, long millis) {
    long found = -1;
    if (archive.exists(TIMES)) {
      try (MediumFile file = archive.open(TIMES)) {
        ByteBuffer b = ByteBuffer.allocate(TIME).order(ByteOrder.LITTLE_ENDIAN);
        for (long at = 0; file.read(b.clear(), at) == TIME; at += TIME) {
          if (b.getInt(16) == crc(b) && b.getLong(0) <= millis) {
            found = Math.max(found, b.getLong(8));
          }
        }
      }
    }
    return found;
  }

  private void tryCopy() {
    try {
      copy();
      warned = false;
    } catch (RuntimeException e) {
      giveUp();
      warn(e);
    }
  }

  /** Releases everything, since the thread that copies ended by an error. */
  private void end(Throwable cause) {
    hold.close();
    warn(cause);
  }

  /** Releases the segments if the log is half full. */
  private synchronized void giveUp() {
    if (log.used() > log.limit() / 2) {
      List<LogHold.Piece> pieces = hold.pieces();
      next = pieces.getLast().first();
      hold.advance(next);
    }
  }

  private void warn(Throwable cause) {
    if (!warned) {
      warned = true;
      System.getLogger(LogArchiver.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the log cannot be archived: " + heap.location() + " to " + archive.location(),
              cause);
    }
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
