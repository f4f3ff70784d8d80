package io.everheap.journal;

import io.everheap.log.SegmentFactory;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;

/** The open file of a segment of a replica. Not thread-safe. */
final class ReceivedFile implements AutoCloseable {
  private static final int CHUNK = 256 << 10;

  private final MediumFile file;

  private ReceivedFile(MediumFile file) {
    this.file = file;
  }

  static ReceivedFile open(Medium medium, SegmentHeader header) {
    return new ReceivedFile(medium.open(SegmentLayout.name(header.ordinal())));
  }

  /**
   * Makes a file full of zeros, which has its space before its name, and that before its header;
   * replaces one of that name.
   */
  static ReceivedFile create(Medium medium, SegmentHeader header) {
    String name = SegmentLayout.name(header.ordinal());
    if (medium.exists(name)) {
      medium.delete(name);
    }
    SegmentFactory.fill(medium, JournalLayout.TEMPORARY, header.size());
    medium.rename(JournalLayout.TEMPORARY, name);
    medium.syncDirectory("");
    ReceivedFile made = open(medium, header);
    try {
      ByteBuffer block = ByteBuffer.allocate(SegmentLayout.START);
      block.put(0, header.encode(JournalLayout.MAGIC), 0, SegmentLayout.HEADER_SIZE);
      made.file.write(block, 0);
      made.file.sync();
      return made;
    } catch (Throwable t) {
      Closing.after(t, made::close);
      throw t;
    }
  }

  /** Stores bytes durably. */
  void store(ByteBuffer bytes, long offset) {
    file.write(bytes, offset);
    file.sync();
  }

  /** Overwrites what is torn behind an offset with zeros, durably. */
  void eraseFrom(long offset, long size) {
    boolean erased = false;
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
    for (long at = offset; at < size; at += chunk.limit()) {
      chunk.clear().limit((int) Math.min(CHUNK - at % SegmentLayout.BLOCK, size - at));
      file.read(chunk, at);
      for (int i = 0; i < chunk.limit(); ) {
        int rest = (int) (SegmentLayout.BLOCK - (at + i) % SegmentLayout.BLOCK);
        ByteBuffer block = chunk.slice(i, Math.min(rest, chunk.limit() - i));
        ByteBuffer zeros = ByteBuffer.allocate(block.limit());
        if (!block.equals(zeros)) {
          file.write(zeros, at + i);
          erased = true;
        }
        i += block.limit();
      }
    }
    if (erased) {
      file.sync();
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
