package io.everheap.engine.log;

import io.everheap.log.SegmentHeader;
import io.everheap.memory.Closing;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An open segment file and its present place in the log, which changes under the lock of the {@link
 * SegmentPool}.
 */
final class LogSegment {
  private final String name;
  private final int size;
  private final MediumFile file;
  private final @Nullable Region region;
  private long sequence;
  private long startLsn;
  private volatile boolean headerDurable;
  private volatile long written; // one thread writes at a time

  LogSegment(String name, int size, MediumFile file, @Nullable Region region) {
    this.name = name;
    this.size = size;
    this.file = file;
    this.region = region;
  }

  /** Opens a file, either mapped or for durable writes. */
  static LogSegment open(Medium medium, String name, int size, boolean mapped, DurableWrite how) {
    if (!mapped) {
      return new LogSegment(name, size, medium.openLog(name, how), null);
    }
    MediumFile file = medium.open(name);
    try {
      return new LogSegment(name, size, file, file.map(Mapping.SHARED, 0, size));
    } catch (Throwable t) {
      file.close();
      throw t;
    }
  }

  String name() {
    return name;
  }

  int size() {
    return size;
  }

  /** Writes whole blocks; they are durable on return. */
  void writeDurably(ByteBuffer blocks, long position) {
    if (region == null) {
      long end = position + blocks.remaining();
      file.writeDurably(blocks, position);
      written = Math.max(written, end);
    } else {
      int length = blocks.remaining();
      region.copyFrom(position, MemorySegment.ofBuffer(blocks), 0, length);
      region.force(position, length);
    }
  }

  /** The mapped file; only on byte-addressable media. */
  Region region() {
    Region mapped = region;
    if (mapped == null) {
      throw new IllegalStateException(name + " is not mapped");
    }
    return mapped;
  }

  /** Where what was written since {@link #use} ends; all of a mapped segment. For any thread. */
  long written() {
    return region == null ? written : size;
  }

  long sequence() {
    return sequence;
  }

  long startLsn() {
    return startLsn;
  }

  /** Sets a new place in the log; the caller writes the header. */
  void use(long newSequence, long newStartLsn) {
    sequence = newSequence;
    startLsn = newStartLsn;
    written = 0;
    headerDurable = false;
  }

  /** The header for the present place. */
  SegmentHeader header(int alignment, UUID heap, long epoch, int chain) {
    return new SegmentHeader(
        LogLayout.FORMAT_VERSION,
        alignment,
        heap,
        epoch,
        sequence,
        sequence - 1,
        startLsn,
        size,
        0,
        startLsn,
        chain);
  }

  boolean headerDurable() {
    return headerDurable;
  }

  void setHeaderDurable() {
    headerDurable = true;
  }

  void close() {
    if (region != null) {
      Closing.unmap(region);
    }
    file.close();
  }
}
