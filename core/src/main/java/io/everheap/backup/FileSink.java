package io.everheap.backup;

import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;

/** Writes a backup to a file. Used by one thread. */
public final class FileSink implements BackupSink {
  private final MediumFile file;
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
    int length = bytes.remaining();
    file.write(bytes, position);
    position += length;
  }

  @Override
  public void sync() {
    file.sync();
  }
}
