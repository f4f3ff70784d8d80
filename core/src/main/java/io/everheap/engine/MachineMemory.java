package io.everheap.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the process can use: on Linux that of the machine, or the lowest limit of the
 * control groups of the process if that is less (proc(5), cgroups(7)); elsewhere four times the
 * maximum Java heap, whose default is a quarter of the memory. Stateless.
 *
 * <p>Each opening asks for the limits, so they are parsed without regular expressions and streams,
 * whose code is cold then.
 */
public final class MachineMemory {
  private static final Path PROC = Path.of("/proc");
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final int HEAP_DIVISOR = 4; // a quarter is for heaps
  private static final long MIN_BYTES = 64L << 20;
  private static final long PAGE_SIZE_TYPE = 6; // AT_PAGESZ
  private static final int MIN_PAGE = 4 << 10;
  private static final int MAX_PAGE = 64 << 10;
  private static final int PAGE = page(PROC);
  private static final long MACHINE = machine(PROC);

  private MachineMemory() {}

  /** The memory in bytes. */
  static long total() {
    return total(MACHINE, PROC, GROUPS);
  }

  /**
   * The memory in bytes.
   *
   * @param proc mount point of the proc file system
   * @param groups mount point of the cgroup file system
   */
  public static long total(Path proc, Path groups) {
    return total(machine(proc), proc, groups);
  }

  /**
   * The limit of the control groups of this process in bytes; {@code Long.MAX_VALUE} without one.
   *
   * @param proc mount point of the proc file system
   * @param groups mount point of the cgroup file system
   */
  public static long limit(Path proc, Path groups) {
    return controlGroups(proc, groups);
  }

  /** How much of the memory of a process its heaps divide among themselves, in bytes. */
  public static long heapShare(long total) {
    return total / HEAP_DIVISOR;
  }

  private static long total(long machine, Path proc, Path groups) {
    return Math.max(MIN_BYTES, Math.min(machine, controlGroups(proc, groups)));
  }

  /**
   * The bytes that the kernel copies when a page of a private mapping is first stored to: its page,
   * or 4 KiB if that is less, or not known.
   */
  static int page() {
    return PAGE;
  }

  /**
   * The same, from what the kernel tells each process: pairs of a type and a value (getauxval(3)).
   */
  static int page(Path proc) {
    try {
      ByteBuffer pairs =
          ByteBuffer.wrap(Files.readAllBytes(proc.resolve("self/auxv")))
              .order(ByteOrder.nativeOrder());
      while (pairs.remaining() >= 2 * Long.BYTES) {
        long type = pairs.getLong();
        long value = pairs.getLong();
        if (type == PAGE_SIZE_TYPE) {
          return Math.clamp(value, MIN_PAGE, MAX_PAGE);
        }
      }
    } catch (IOException e) {
      // Not Linux.
    }
    return MIN_PAGE;
  }

  /**
   * The memory of the machine, in bytes; no limit of a control group counts.
   *
   * @param proc mount point of the proc file system
   */
  public static long machine(Path proc) {
    for (String line : lines(proc.resolve("meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        try {
          String[] words = line.split(" ", -1);
          return Long.parseLong(words[words.length - 2]) << 10; // the last word is kB
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
          break;
        }
      }
    }
    long maxHeap = Runtime.getRuntime().maxMemory();
    return maxHeap > Long.MAX_VALUE / 4 ? maxHeap : maxHeap * 4;
  }

  /** The lowest limit of the process's control groups and their ancestors. */
  private static long controlGroups(Path proc, Path groups) {
    long lowest = limit(groups, "memory.max");
    for (String line : lines(proc.resolve("self/cgroup"))) {
      String[] parts = line.split(":", 3); // hierarchy, controllers, path
      if (parts.length == 3 && parts[1].isEmpty()) {
        lowest = Math.min(lowest, lowest(groups, parts[2], "memory.max"));
      } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
        Path hierarchy = groups.resolve("memory");
        lowest = Math.min(lowest, lowest(hierarchy, parts[2], "memory.limit_in_bytes"));
      }
    }
    return lowest;
  }

  /**
   * The lowest limit of a group and its ancestors. In a container the path may be that of the host,
   * and does not exist; then the root is the container's group.
   */
  private static long lowest(Path root, String group, String file) {
    long lowest = limit(root, file);
    try {
      int start = 0;
      while (group.startsWith("/", start)) {
        start++;
      }
      @Nullable Path at = root.resolve(group.substring(start)).normalize();
      while (at != null && at.startsWith(root)) {
        lowest = Math.min(lowest, limit(at, file));
        at = at.getParent();
      }
    } catch (InvalidPathException e) {
      // the locale cannot encode the name; the limit of the root is used
    }
    return lowest;
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
      return List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n", -1));
    } catch (IOException e) {
      return List.of(); // no such file: not Linux, or another version of cgroups
    }
  }
}
