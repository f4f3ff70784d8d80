package io.everheap.cli.doctor;

import io.everheap.engine.MachineMemory;
import java.nio.file.Path;
import java.util.Locale;

/** The memory that the heaps of a process divide among themselves. */
final class MemoryCheck {
  private static final long LITTLE = 256L << 20;
  private static final double MIB = 1 << 20;

  private MemoryCheck() {}

  static Finding of(Machine machine) {
    Path proc = machine.root().resolve("proc");
    long all = MachineMemory.machine(proc);
    Path groups = machine.root().resolve("sys/fs/cgroup");
    long usable = Math.min(all, MachineMemory.limit(proc, groups));
    long forHeaps = MachineMemory.heapShare(MachineMemory.total(proc, groups));
    String detail =
        String.format(
            Locale.ROOT,
            "%,.0f MiB%s; the heaps of a process use at most %,.0f MiB for what is not"
                + " checkpointed",
            usable / MIB,
            usable < all
                ? String.format(
                    Locale.ROOT, ", the limit of its control group, of %,.0f MiB", all / MIB)
                : "",
            forHeaps / MIB);
    return usable < LITTLE
        ? Finding.warning(
            "memory",
            detail + "; many open heaps checkpoint often, and one more may not open (EH-MEMORY)",
            "raise the limit, or open few heaps; docs/symptoms.md tells what sets the limit")
        : Finding.ok("memory", detail);
  }
}
