package io.everheap.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Identifies the boot of the kernel, whose page cache may hold data that is not durable yet. */
final class Incarnation {
  /** The kernel's boot id; empty if it has none. */
  static final String BOOT = read();

  /** The boot id, or a random text that is the same for all media of this process. */
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
