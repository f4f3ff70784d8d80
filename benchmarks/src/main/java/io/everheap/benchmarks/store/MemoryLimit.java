package io.everheap.benchmarks.store;

import java.util.List;

/**
 * Limits the memory of a process together with the page cache of its files, so that data can be
 * larger than memory on any machine. Needs Linux with control groups, and root.
 */
final class MemoryLimit {
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

  private MemoryLimit() {}

  /** The words before a command that limit it. */
  static List<String> command(String limit) {
    return List.of("sh", "-c", SCRIPT, "sh", limit);
  }
}
