package io.everheap.backup;

import java.nio.ByteBuffer;

/** Receives the bytes of a backup in their order. Used by one thread. */
public interface BackupSink {
  /** Takes all remaining bytes. */
  void append(ByteBuffer bytes);

  /** The size of what is received must be a multiple of this. */
  default int block() {
    return 1;
  }

  /** Makes everything durable. */
  void sync();
}
