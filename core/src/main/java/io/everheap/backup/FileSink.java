package io.everheap.backup;

import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;

/** Writes a backup to a file. Used by one thread. */
public final class FileSink implements BackupSink {
  private final MediumFile file;
  private long position;

  /** Begins at the start of a file. */
  public FileSink(MediumFile file) {
    this.file = file;
  }

  @Override
  public void append(ByteBuffer bytes) {
    int length = bytes.remaining();
    file.write(bytes, position);
    position += length;
  }

  @Override
  public void sync() {
    file.sync();
  }
}
