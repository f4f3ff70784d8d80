package io.everheap.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much memory the process may count on: the machine's, or its control group's if that is less
 * (proc(5), cgroups(7)); elsewhere four times the largest Java heap, which defaults to a quarter.
 */
final class MachineMemory {
  private MachineMemory() {}

  /** Bytes. */
  static long total() {
    return Math.max(64L << 20, Math.min(machine(), controlGroup()));
  }

  private static long machine() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
        if (line.startsWith("MemTotal:")) {
          return Long.parseLong(line.replaceAll("\\D+", "")) << 10;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // not Linux: fall through
    }
    long most = Runtime.getRuntime().maxMemory();
    return most > Long.MAX_VALUE / 4 ? most : most * 4;
  }

  private static long controlGroup() {
    try {
      return Long.parseLong(Files.readString(Path.of("/sys/fs/cgroup/memory.max")).strip());
    } catch (IOException | NumberFormatException e) {
      return Long.MAX_VALUE; // none, or "max"
    }
  }
}
