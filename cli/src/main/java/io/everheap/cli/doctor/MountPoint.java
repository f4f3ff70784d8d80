package io.everheap.cli.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A line of {@code /proc/self/mountinfo}; see proc_pid_mountinfo(5).
 *
 * @param device major and minor number, such as {@code 254:0}; the major number of file systems
 *     without a block device is 0
 * @param type of the file system
 * @param source that was mounted, such as {@code /dev/sda1}
 * @param options of the mount and of the file system
 */
record MountPoint(String device, String type, String source, List<String> options) {
  /** The mount that holds a real path: of those above it the deepest, of equal ones the newest. */
  static Optional<MountPoint> of(Machine machine, Path path) {
    MountPoint found = null;
    int depth = -1;
    for (String line : machine.read("proc/self/mountinfo").orElse("").lines().toList()) {
      String[] fields = line.split(" ");
      int dash = Arrays.asList(fields).indexOf("-");
      if (dash < 6 || dash + 3 >= fields.length) {
        continue;
      }
      Path point = Path.of(unescaped(fields[4]));
      if (path.startsWith(point) && point.getNameCount() >= depth) {
        List<String> options = new ArrayList<>(List.of(fields[5].split(",")));
        options.addAll(List.of(fields[dash + 3].split(",")));
        found = new MountPoint(fields[2], fields[dash + 1], unescaped(fields[dash + 2]), options);
        depth = point.getNameCount();
      }
    }
    return Optional.ofNullable(found);
  }

  boolean has(String option) {
    return options.contains(option);
  }

  /** The value of the option {@code name=value}. */
  @Nullable String value(String name) {
    for (String option : options) {
      if (option.startsWith(name + "=")) {
        return option.substring(name.length() + 1);
      }
    }
    return null;
  }

  /** The kernel writes blanks, tabs, line ends and backslashes as three octal digits. */
  private static String unescaped(String text) {
    return text.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
