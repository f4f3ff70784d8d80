package io.everheap.benchmarks.store;

import java.util.List;

/**
 * Limits the memory of a process together with the page cache of its files, so that data can be
 * larger than memory on any machine. Needs Linux with control groups, and root.
 */
public final class MemoryLimit {
  private static final String SCRIPT =
      """
      own=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
      if [ -n "$own" ]; then
        group=/sys/fs/cgroup/memory$own/everheap-bench
        limit=memory.limit_in_bytes
      else
        group=/sys/fs/cgroup/everheap-bench
        limit=memory.max
      fi
      mkdir -p "$group" && echo "$1" >"$group/$limit" && echo $$ >"$group/cgroup.procs" || exit 1
      [ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
      shift
      exec "$@"
      """;

  private static final String PROPERTY = "everheap.bench.memory";

  private MemoryLimit() {}

  /**
   * A part of this process's memory.
   *
   * @param most bytes, of a process without a limit
   * @param parts in how many parts the limit of others is divided
   * @return bytes
   */
  public static long share(long most, int parts) {
    String limit = System.getProperty(PROPERTY);
    return limit == null ? most : Math.min(most, bytes(limit) / parts);
  }

  /**
   * Tells whether this process's memory is limited.
   *
   * @return whether the data is larger than its memory
   */
  public static boolean isSet() {
    return System.getProperty(PROPERTY) != null;
  }

  /**
   * Reads a size.
   *
   * @param size such as 512M
   * @return bytes
   */
  public static long bytes(String size) {
    int unit = "KMG".indexOf(Character.toUpperCase(size.charAt(size.length() - 1)));
    return unit < 0
        ? Long.parseLong(size)
        : Long.parseLong(size.substring(0, size.length() - 1)) << (10 * (unit + 1));
  }

  /** The option of Java that tells a process its limit. */
  static String option(String limit) {
    return "-D" + PROPERTY + "=" + limit;
  }

  /** The words before a command that limit it. */
  static List<String> command(String limit) {
    return List.of("sh", "-c", SCRIPT, "sh", limit);
  }
}
