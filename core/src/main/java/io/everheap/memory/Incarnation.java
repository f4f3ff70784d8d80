package io.everheap.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Identifies the life of the kernel, whose page cache holds what no sync made durable. */
final class Incarnation {
  /** What the kernel tells; empty where it does not. */
  static final String BOOT = read();

  /** The same for all media of a process, and for all processes where the kernel tells. */
  static final String CURRENT = BOOT.isEmpty() ? UUID.randomUUID().toString() : BOOT;

  private Incarnation() {}

  private static String read() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
