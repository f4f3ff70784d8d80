package io.everheap.engine.log;

import io.everheap.error.ReplicationException;
import io.everheap.log.LogSeed;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of an open log in their order, as soon as they are durable, for replicas. The log
 * keeps what was not read, up to a limit ({@link LogHold}). Used by one thread.
 */
public final class LogFeed implements AutoCloseable {
  private static final int MOST = 256 << 10; // bytes that are read at once, if a batch has no more

  private final Medium heap;
  private final Log log;
  private final LogHold hold;
  private final PartCheck check;
  private final long epoch;
  private final long key; // of the epoch
  private LogHold.Piece piece;
  private @Nullable MediumFile file; // of the piece
  private SegmentHeader header; // of the piece
  private long offset; // in the piece
  private long lsn;
  private int chain;
  private ByteBuffer buffer = allocate(BatchLayout.HEADER_SIZE + MOST);

  private LogFeed(Medium heap, Log log, LogHold hold, LogHold.Piece piece, long start) {
    this.heap = heap;
    this.log = log;
    this.hold = hold;
    this.piece = piece;
    MediumFile opened = heap.open(piece.name());
    SegmentHeader there = header(opened);
    if (there == null || there.first() != piece.first()) {
      opened.close();
      throw gone(start);
    }
    this.file = opened;
    this.header = there;
    this.epoch = there.epoch();
    this.key = LogSeed.key(there.uuid(), epoch);
    this.check = new PartCheck(key);
    this.offset = SegmentLayout.START;
    this.lsn = there.first();
    this.chain = there.chain();
  }

  /**
   * Begins at the end of a transaction.
   *
   * @param start its LSN
   * @param chain CRC of the part before it
   * @throws ReplicationException if the log does not reach back to it, or has something else there
   */
  public static LogFeed open(Medium heap, Log log, long start, int chain) {
    LogFeed feed = open(heap, log, start);
    if (feed.chain != chain) {
      feed.close();
      throw gone(start);
    }
    return feed;
  }

  /**
   * Like {@link #open(Medium, Log, long, int)}, at a place that this log is known to have had.
   *
   * @throws ReplicationException if the log does not reach back to it
   */
  public static LogFeed open(Medium heap, Log log, long start) {
    LogHold hold = log.hold(() -> {});
    try {
      LogHold.Piece covering = null;
      for (LogHold.Piece piece : hold.pieces()) {
        if (piece.first() <= start && (piece.first() < log.durable() || covering == null)) {
          covering = piece;
        }
      }
      if (covering == null || start > log.durable()) {
        throw gone(start);
      }
      LogFeed feed = new LogFeed(heap, log, hold, covering, start);
      try {
        feed.skipTo(start);
      } catch (RuntimeException | Error e) {
        feed.close();
        throw e;
      }
      return feed;
    } catch (RuntimeException | Error e) {
      hold.close();
      throw e;
    }
  }

  /**
   * Reads what the files of the log still have of the time before the oldest segment in use: of
   * this opening and of former ones, up to that segment. Nothing keeps it, so it is read twice, and
   * passed on only if all of it is there.
   *
   * @param lsn end of a transaction
   * @param chain CRC of the part before it
   * @throws ReplicationException if that place is not before the segments in use
   * @throws io.everheap.error.CorruptException if some of it was overwritten
   */
  public static void readOld(
      Medium heap, UUID uuid, Log log, long lsn, int chain, ArchivedParts to) {
    try (LogHold hold = log.hold(() -> {})) {
      long until = hold.pieces().getFirst().first();
      if (lsn >= until) {
        throw gone(lsn);
      }
      LogReader.readParts(heap, uuid, lsn, chain, until, ArchivedParts.NONE);
      LogReader.readParts(heap, uuid, lsn, chain, until, to);
    }
  }

  /** The header of a segment; closes the file if it cannot be read. */
  private static @Nullable SegmentHeader header(MediumFile opened) {
    try {
      return SegmentHeader.read(opened, LogLayout.MAGIC);
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private static ReplicationException gone(long start) {
    return new ReplicationException(
        "The log does not go on from LSN "
            + start
            + " as the replica knows it: it was used again since, or something else is there. The"
            + " replica must be made anew.");
  }

  private void skipTo(long start) {
    while (lsn < start) {
      byte[] parts = next(start);
      if (parts.length == 0) {
        break;
      }
    }
    if (lsn != start) {
      throw gone(start);
    }
  }

  /** The epoch of the log. */
  public long epoch() {
    return epoch;
  }

  /** CRC of the last part that was read. */
  public int chain() {
    return chain;
  }

  /** The LSN behind what was read. */
  public long lsn() {
    return lsn;
  }

  /**
   * Reads what is durable, up to some size.
   *
   * @return whole parts; empty if there are no more now
   * @throws ReplicationException if it was read so slowly that the log was used again
   */
  public byte[] next() {
    return next(Long.MAX_VALUE);
  }

  /** Reads parts that end at or before an LSN. */
  private byte[] next(long until) {
    long durable = Math.min(log.durable(), until);
    while (lsn < durable) {
      byte[] parts = header.alignment() == LogLayout.DIRECT ? direct(durable) : batch(durable);
      if (hold.lost() > piece.first()) {
        throw gone(lsn);
      }
      if (parts.length > 0 || !nextPiece()) {
        return parts;
      }
    }
    return new byte[0];
  }

  /** Reads the next batch, or the rest of one. */
  private byte[] batch(long until) {
    if (!read(offset, BatchLayout.HEADER_SIZE) || !BatchLayout.isOf(buffer, 0, key, header)) {
      return new byte[0];
    }
    long start = buffer.getLong(BatchLayout.START_LSN);
    int length = buffer.getInt(BatchLayout.LENGTH);
    if (start > lsn || lsn >= start + length || start + length > log.durable()) {
      return new byte[0];
    }
    long behind = lsn - start; // what was read of it before
    byte[] parts = parts(offset + BatchLayout.HEADER_SIZE + behind, (int) (length - behind), until);
    if (lsn == start + length) {
      offset += BatchLayout.size(length);
    }
    return parts;
  }

  private byte[] direct(long until) {
    long at = SegmentLayout.START + lsn - header.first();
    long size = Math.min(header.size() - at, log.durable() - lsn);
    return size <= 0 ? new byte[0] : parts(at, (int) Math.min(size, MOST), until);
  }

  /** Reads whole parts from an offset on, and moves behind them. */
  private byte[] parts(long from, int most, long until) {
    if (!read(from, most)) {
      return new byte[0];
    }
    int at = 0;
    while (at < most) {
      int field = check.field(buffer, at, most, lsn, chain);
      int length = PartLayout.length(field);
      if (field == 0 || lsn + length > until) {
        break;
      }
      chain = buffer.getInt(at);
      lsn += length;
      at += length;
    }
    byte[] parts = new byte[at];
    buffer.get(0, parts);
    return parts;
  }

  private boolean read(long from, int length) {
    if (length > buffer.capacity()) {
      buffer = allocate(length);
    }
    MediumFile open = file;
    return open != null && open.read(buffer.clear().limit(length), from) == length;
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Goes on with the segment behind this one; false if it has not begun. */
  private boolean nextPiece() {
    List<LogHold.Piece> pieces = hold.pieces();
    for (LogHold.Piece next : pieces) {
      if (next.first() == lsn && next.first() > piece.first()) {
        MediumFile opened = heap.open(next.name());
        SegmentHeader there = header(opened);
        if (there == null || there.first() != lsn || there.epoch() != epoch) {
          opened.close();
          return false; // its header is being written: it is durable before any part of it
        }
        closeFile();
        file = opened;
        piece = next;
        header = there;
        offset = SegmentLayout.START;
        hold.advance(lsn);
        return true;
      }
    }
    if (pieces.getFirst().first() > lsn) {
      throw gone(lsn);
    }
    return false;
  }

  private void closeFile() {
    MediumFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    closeFile();
    hold.close();
  }
}
