package io.everheap.journal;

import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The file of a segment that is ready for records or receives them: stores records and makes them
 * durable.
 *
 * <p>Its memory and {@link #begin} belong to the holder of the append lock, {@link #persist} to the
 * leader of the group commit; {@link #close} follows when the segment is durable as a whole. {@link
 * #next} is set by an appender and read by the leader; {@link #segment} is set before the segment
 * is published.
 */
final class OpenSegment implements AutoCloseable {
  private final Mode mode;
  private final long ordinal;
  private final long size;
  private final MediumFile file;
  private final Region target;
  private final @Nullable ByteBuffer blocks;
  private @Nullable Segment segment;
  private volatile @Nullable OpenSegment next;
  private boolean unpinned;

  private OpenSegment(
      Mode mode,
      long ordinal,
      long size,
      MediumFile file,
      Region target,
      @Nullable ByteBuffer blocks) {
    this.mode = mode;
    this.ordinal = ordinal;
    this.size = size;
    this.file = file;
    this.target = target;
    this.blocks = blocks;
  }

  /** Opens a file that is ready for use. */
  static OpenSegment open(Medium medium, Mode mode, long ordinal, long size) {
    MediumFile file = medium.openLog(SegmentLayout.name(ordinal), DurableWrite.DSYNC);
    Region memory = null;
    try {
      boolean mapped = mode.mapped();
      memory = mapped ? file.map(Mapping.SHARED, 0, size) : Region.allocate(size);
      ByteBuffer blocks = mapped ? null : memory.claim(0, size).asByteBuffer();
      return new OpenSegment(mode, ordinal, size, file, memory, blocks);
    } catch (Throwable t) {
      if (memory != null) {
        Closing.after(t, memory::close);
      }
      Closing.after(t, file::close);
      throw t;
    }
  }

  long ordinal() {
    return ordinal;
  }

  long size() {
    return size;
  }

  /** Where records are stored. */
  Region target() {
    return target;
  }

  /** The segment in the journal; it exists once the header is written. */
  Segment segment() {
    Segment begun = segment;
    if (begun == null) {
      throw new IllegalStateException(SegmentLayout.name(ordinal) + " has no header yet");
    }
    return begun;
  }

  /** Writes the header durably: the segment is part of the journal. */
  Segment begin(Medium medium, SegmentHeader header) {
    target.copyFrom(0, header.encode(JournalLayout.MAGIC).array(), 0, SegmentLayout.HEADER_SIZE);
    persist(0, SegmentLayout.HEADER_SIZE);
    Segment begun = new Segment(medium, header);
    if (mode.shared()) {
      begun.readFrom(target);
    }
    begun.pin();
    segment = begun;
    return begun;
  }

  /** Makes a stored range durable. */
  void persist(long from, long to) {
    ByteBuffer source = blocks;
    if (source == null) {
      target.force(from, to - from);
      return;
    }
    int start = (int) (from & -SegmentLayout.BLOCK);
    int end = (int) RecordLayout.align(to, SegmentLayout.BLOCK);
    file.writeDurably(source.slice(start, end - start), start);
  }

  /** Touches each page, so that appends do not fault. */
  void touch() {
    if (!mode.mapped()) {
      target.fill(0, size, (byte) 0);
      return;
    }
    for (long at = 0; at < size; at += SegmentLayout.BLOCK) {
      target.putByte(at, target.getByte(at));
    }
  }

  @Nullable OpenSegment next() {
    return next;
  }

  void next(OpenSegment following) {
    next = following;
  }

  /** Ends the writer's use; readers may continue. */
  @Override
  public void close() {
    Segment begun = segment;
    Closing closing = new Closing().then(file::close);
    if (begun != null && !unpinned) {
      unpinned = true;
      closing.then(begun::unpin);
    }
    if (begun == null || !mode.shared()) {
      closing.then(() -> Closing.unmap(target));
    }
    closing.end();
  }
}
