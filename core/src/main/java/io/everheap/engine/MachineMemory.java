package io.everheap.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much memory the process may count on: the machine's, or that of a control group it is in if
 * that is less (proc(5), cgroups(7)); elsewhere four times the largest Java heap, which defaults to
 * a quarter.
 */
final class MachineMemory {
  private static final Path PROC = Path.of("/proc");
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final long LEAST = 64L << 20;

  private MachineMemory() {}

  /** Bytes. */
  static long total() {
    return total(PROC, GROUPS);
  }

  /**
   * Bytes.
   *
   * @param proc where the file system of processes is
   * @param groups where that of control groups is
   */
  static long total(Path proc, Path groups) {
    return Math.max(LEAST, Math.min(machine(proc), controlGroups(proc, groups)));
  }

  private static long machine(Path proc) {
    for (String line : lines(proc.resolve("meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        try {
          return Long.parseLong(digits(line)) << 10;
        } catch (NumberFormatException e) {
          break;
        }
      }
    }
    long most = Runtime.getRuntime().maxMemory();
    return most > Long.MAX_VALUE / 4 ? most : most * 4;
  }

  /** The digits of a line; a regular expression would be the only one of an opening. */
  private static String digits(String line) {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      if (line.charAt(i) >= '0' && line.charAt(i) <= '9') {
        digits.append(line.charAt(i));
      }
    }
    return digits.toString();
  }

  /** The least limit of the groups of this process and those that they are in. */
  private static long controlGroups(Path proc, Path groups) {
    long least = limit(groups, "memory.max");
    for (String line : lines(proc.resolve("self/cgroup"))) {
      String[] parts = line.split(":", 3); // hierarchy, controllers, path
      if (parts.length == 3 && parts[1].isEmpty()) {
        least = Math.min(least, least(groups, parts[2], "memory.max"));
      } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
        Path hierarchy = groups.resolve("memory");
        least = Math.min(least, least(hierarchy, parts[2], "memory.limit_in_bytes"));
      }
    }
    return least;
  }

  /** Inside a container the path may be of the host; then the root is the container's group. */
  private static long least(Path root, String group, String file) {
    long least = limit(root, file);
    try {
      @Nullable Path at = root.resolve(group.replaceFirst("^/+", "")).normalize();
      while (at != null && at.startsWith(root)) {
        least = Math.min(least, limit(at, file));
        at = at.getParent();
      }
    } catch (InvalidPathException e) {
      // a name that this process's locale cannot say: the root has to do
    }
    return least;
  }

  private static long limit(Path group, String file) {
    List<String> lines = lines(group.resolve(file));
    try {
      long limit = lines.isEmpty() ? 0 : Long.parseLong(lines.getFirst().strip());
      return limit > 0 ? limit : Long.MAX_VALUE;
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE; // "max"
    }
  }

  private static List<String> lines(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of(); // not there: not Linux, or another version
    }
  }
}
