package io.everheap.engine.log;

import io.everheap.log.LogSeed;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a segment in an archive, which is extended while the segment is written. What is
 * durable in a segment never changes, so nothing is copied twice. Used by one thread.
 */
final class SegmentCopy {
  private final Medium heap;
  private final LogHold.Piece from;
  private final Medium archive;
  private final String to;
  private final ByteBuffer buffer;
  private final ByteBuffer head =
      ByteBuffer.allocate(BatchLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
  private @Nullable SegmentHeader header; // null until the copy has it
  private long end = SegmentLayout.START; // offset behind what the copy has
  private long lsn; // at that offset

  /**
   * Creates a copy that has nothing yet.
   *
   * @param from the segment
   * @param to name of the copy in the archive
   * @param buffer for the bytes, of any size
   */
  SegmentCopy(Medium heap, LogHold.Piece from, Medium archive, String to, ByteBuffer buffer) {
    this.heap = heap;
    this.from = from;
    this.archive = archive;
    this.to = to;
    this.buffer = buffer;
  }

  /**
   * Copies, durably, what is new.
   *
   * @param durable LSN up to which the log is durable
   * @param kept whether the segment has not been used again until now
   * @return whether it was kept; if not, the copy may end too early, or there is none
   */
  boolean extend(long durable, BooleanSupplier kept) {
    long begin = end;
    long beginLsn = lsn;
    boolean extended;
    try (MediumFile source = heap.open(from.name());
        MediumFile target = archive.exists(to) ? archive.open(to) : archive.create(to)) {
      extended = extend(source, target, durable, kept);
    } catch (RuntimeException | Error e) {
      end = begin; // the next attempt copies the same
      lsn = beginLsn;
      throw e;
    }
    if (header == null) {
      archive.delete(to);
    }
    return extended;
  }

  private boolean extend(MediumFile source, MediumFile target, long durable, BooleanSupplier kept) {
    SegmentHeader of = header == null ? SegmentHeader.read(source, LogLayout.MAGIC) : header;
    if (of == null || of.first() != from.first()) {
      return false;
    }
    if (header == null) {
      lsn = of.first();
      target.truncate(of.size());
    }
    long begin = end;
    if (of.alignment() == LogLayout.DIRECT) {
      end = Math.min(of.size(), SegmentLayout.START + durable - of.first());
    } else {
      passBatches(source, of, durable);
    }
    copy(source, target, begin, end, buffer);
    target.sync();
    if (!kept.getAsBoolean()) {
      return false;
    }
    if (header == null) {
      target.write(of.encode(LogLayout.MAGIC), 0);
      target.sync();
      syncDirectories(archive);
      header = of;
    }
    return true;
  }

  /** Moves the end behind the batches that are durable. */
  private void passBatches(MediumFile source, SegmentHeader of, long durable) {
    long key = LogSeed.key(of.uuid(), of.epoch());
    while (end < of.size()
        && source.read(head.clear(), end) == head.capacity()
        && BatchLayout.isOf(head, 0, key, of)
        && head.getLong(BatchLayout.START_LSN) == lsn) {
      int length = head.getInt(BatchLayout.LENGTH);
      if (lsn + length > durable) {
        return;
      }
      lsn += length;
      end += BatchLayout.size(length);
    }
  }

  private static void copy(
      MediumFile source, MediumFile target, long begin, long limit, ByteBuffer buffer) {
    for (long at = begin; at < limit; ) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), limit - at));
      int bytes = source.read(buffer, at);
      if (bytes == 0) {
        return;
      }
      target.write(buffer.flip(), at);
      at += bytes;
    }
  }

  /** Copies a segment that is not written any more, over its copy if there is one. */
  static void whole(Medium heap, String from, Medium archive, String to, ByteBuffer buffer) {
    boolean isNew = !archive.exists(to);
    try (MediumFile source = heap.open(from);
        MediumFile target = isNew ? archive.create(to) : archive.open(to)) {
      copy(source, target, 0, source.size(), buffer);
      target.sync();
    }
    if (isNew) {
      syncDirectories(archive);
    }
  }

  private static void syncDirectories(Medium archive) {
    archive.syncDirectory(LogLayout.DIRECTORY);
    archive.syncDirectory("");
  }
}
