package io.everheap.journal;

import io.everheap.error.CorruptException;
import io.everheap.error.MediumException;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A segment with its place in the journal. It is mapped as long as it is <em>pinned</em>: by the
 * writer until it is durable, by readers while they are in it. A pinned segment is not overwritten,
 * though it may be released; its memory is then unmapped with the last unpin.
 *
 * <pre>
 *   field          mode       guard
 *   endSequence    volatile   the append lock
 *   endOffset      volatile   the append lock
 *   target         plain      set before use; the writer's pin
 *   readable, pins, retired   the monitor
 * </pre>
 */
final class Segment {
  /** The end of a segment that is being appended to. */
  static final long OPEN = Long.MAX_VALUE;

  /** How much of an encrypted file to read at once. */
  private static final int RELOAD = 64 << 10;

  private final Medium medium;
  private final SegmentHeader header;
  private volatile long endSequence = OPEN;
  private volatile long endOffset = OPEN;

  private @Nullable Region readable;
  private int pins;
  private boolean retired;

  /** A segment that is only read. */
  Segment(Medium medium, SegmentHeader header) {
    this.medium = medium;
    this.header = header;
  }

  SegmentHeader header() {
    return header;
  }

  long ordinal() {
    return header.ordinal();
  }

  long firstSequence() {
    return header.first();
  }

  String name() {
    return SegmentLayout.name(header.ordinal());
  }

  String path() {
    return medium.location() + "/" + name();
  }

  /** The sequence behind the last record, or {@link #OPEN}. */
  long endSequence() {
    return endSequence;
  }

  /** Where the last record ends, or {@link #OPEN}. */
  long endOffset() {
    return endOffset;
  }

  void end(long sequence, long offset) {
    endOffset = offset;
    endSequence = sequence;
  }

  /** Lets readers use memory of the writer, which is unmapped with the last unpin. */
  synchronized void readFrom(Region region) {
    readable = region;
  }

  /** Keeps the segment as it is until {@link #unpin}; false if it was released. */
  synchronized boolean pin() {
    if (retired) {
      return false;
    }
    if (readable == null) {
      try (MediumFile file = medium.open(name())) {
        readable = file.map(Mapping.READ, 0, header.size());
      }
    }
    pins++;
    return true;
  }

  /** Whether the memory of a reader is a copy of the file, which does not change with it. */
  boolean isCopy() {
    return medium.encrypted();
  }

  /**
   * Reads again what the file has from an offset on, if the memory is a copy of an encrypted file
   * and not the file itself; what is before the offset stays as it is. A file that was released or
   * cut off has nothing new. Only while pinned.
   *
   * @param to the end of what is wanted
   */
  synchronized void reload(long from, long to) {
    Region region = readable;
    if (region == null || !isCopy()) {
      return;
    }
    try (MediumFile file = medium.open(name())) {
      ByteBuffer bytes = ByteBuffer.allocate(RELOAD);
      long end = Math.min(to, region.size());
      for (long at = from; at < end; at += bytes.limit()) {
        bytes.clear().limit((int) Math.min(bytes.capacity(), end - at));
        region.copyFrom(at, bytes.array(), 0, file.read(bytes, at));
      }
    } catch (MediumException e) {
      if (medium.exists(name())) {
        throw e;
      }
    }
  }

  /**
   * Where the record before a sequence ends, and its crc.
   *
   * @throws CorruptException if a record before does not validate
   */
  long[] endOf(long next) {
    if (!pin()) {
      throw new IllegalStateException(this + " was released");
    }
    long offset = SegmentLayout.START;
    try {
      RecordScanner records = new RecordScanner(view(), header);
      int chain = header.chain();
      for (long s = header.first(); s < next; s++) {
        if (!records.follows(offset, s, chain)) {
          throw CorruptException.journal(path(), offset, "record " + s + " does not validate");
        }
        chain = records.checksum();
        offset = records.next();
      }
      MappedFaults.arrive();
      return new long[] {offset, chain};
    } catch (InternalError e) {
      throw unreadable(offset);
    } finally {
      unpin();
    }
  }

  /** The exception for a fault of its mapping. */
  CorruptException unreadable(long offset) {
    return CorruptException.journal(
        path(), offset, "a page of it cannot be read: it was cut off, or the device failed");
  }

  /** The memory to read from; only while pinned. */
  synchronized Region region() {
    Region region = readable;
    if (region == null) {
      throw new IllegalStateException(name() + " is not mapped");
    }
    return region;
  }

  /** All bytes, little-endian; only while pinned. */
  ByteBuffer view() {
    return region().view().order(ByteOrder.LITTLE_ENDIAN);
  }

  synchronized void unpin() {
    pins--;
    if (pins == 0) {
      unmap();
    }
  }

  private void unmap() {
    Region region = readable;
    if (region != null && Closing.tryUnmap(region)) {
      readable = null;
    }
  }

  /**
   * Releases the segment.
   *
   * @return whether it is not in use now, so that its file can be used again
   */
  synchronized boolean retire() {
    retired = true;
    return pins == 0 && readable == null;
  }

  /**
   * Unmaps the memory although it may be pinned; what is still in use is unmapped with the last
   * unpin.
   */
  synchronized void close() {
    retired = true;
    unmap();
  }

  @Override
  public String toString() {
    return name() + " from " + firstSequence() + " to " + endSequence;
  }
}
