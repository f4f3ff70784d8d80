package io.everheap.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Identifies the life of the kernel, whose page cache holds what no sync made durable. */
final class Incarnation {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /** The same for all media of a process, and for all processes where the kernel tells. */
  static final String CURRENT = read();

  private Incarnation() {}

  private static String read() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException e) {
      return UUID.randomUUID().toString();
    }
  }
}
