package io.everheap.backup;

import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;

/**
 * Writes a backup to a file, small sections together: an incremental one has a section for each
 * page that was changed alone. Used by one thread.
 */
public final class FileSink implements BackupSink {
  private static final int TOGETHER = 1 << 20;

  private final MediumFile file;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(TOGETHER);
  private final int block;
  private long position;

  /** Begins at the start of a file of a medium, on which encrypted files have whole blocks. */
  public FileSink(Medium medium, MediumFile file) {
    this.file = file;
    this.block = medium.encrypted() ? MediumFile.BLOCK : 1;
  }

  @Override
  public int block() {
    return block;
  }

  @Override
  public void append(ByteBuffer bytes) {
    if (bytes.remaining() > buffer.remaining()) {
      flush();
    }
    if (bytes.remaining() <= buffer.remaining()) {
      buffer.put(bytes);
    } else {
      write(bytes);
    }
  }

  private void flush() {
    write(buffer.flip());
    buffer.clear();
  }

  private void write(ByteBuffer bytes) {
    int length = bytes.remaining();
    if (length > 0) {
      file.write(bytes, position);
      position += length;
    }
  }

  @Override
  public void sync() {
    flush();
    file.sync();
  }
}
