package io.everheap.backup;

import java.nio.ByteBuffer;

/** Receives the bytes of a backup in their order. Used by one thread. */
public interface BackupSink {
  /** Takes all remaining bytes. */
  void append(ByteBuffer bytes);

  /** Makes everything durable. */
  void sync();
}
