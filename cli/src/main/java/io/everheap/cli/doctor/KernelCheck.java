package io.everheap.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Settings of the kernel and the machine on which the promises or the speed of a heap depend. */
final class KernelCheck {
  private static final long FEW_FILES = 1024;
  private static final long FEW_MAPS = 65_530; // the kernel's default

  private final Machine machine;
  private final List<Finding> findings = new ArrayList<>();

  private KernelCheck(Machine machine) {
    this.machine = machine;
  }

  static List<Finding> of(Machine machine) {
    var check = new KernelCheck(machine);
    check.version();
    check.boot();
    check.files();
    check.maps();
    check.overcommit();
    check.hugePages();
    check.numa();
    return check.findings;
  }

  private void version() {
    String text = machine.read("proc/sys/kernel/osrelease").orElse("");
    String[] parts = text.split("[.-]", -1);
    if (parts.length < 2 || !parts[0].matches("[0-9]{1,6}") || !parts[1].matches("[0-9]{1,6}")) {
      findings.add(
          Finding.warning(
              "kernel",
              "this system is not Linux, or hides its version",
              "run selftest; the crash tests of this project run on Linux"));
      return;
    }
    int major = Integer.parseInt(parts[0]);
    int minor = Integer.parseInt(parts[1]);
    findings.add(
        major > 4 || (major == 4 && minor >= 13)
            ? Finding.ok("kernel", "Linux " + text)
            : Finding.problem(
                "kernel",
                "Linux " + text + " may forget that a write failed before a sync asks",
                "use Linux 4.13 or newer"));
  }

  private void boot() {
    boolean known = machine.read("proc/sys/kernel/random/boot_id").isPresent();
    findings.add(
        known
            ? Finding.ok("boot id", "a heap can tell a killed process from a lost machine")
            : Finding.warning(
                "boot id",
                "unknown: a killed process counts as a lost machine, and ASYNC then loses the last"
                    + " interval",
                "use SYNC where that matters"));
  }

  private void files() {
    String limit = "";
    for (String line : machine.read("proc/self/limits").orElse("").lines().toList()) {
      if (line.startsWith("Max open files")) {
        limit = line.substring("Max open files".length()).strip().split(" +", -1)[0];
      }
    }
    if (limit.isEmpty()) {
      return;
    }
    boolean few = limit.matches("[0-9]{1,9}") && Long.parseLong(limit) < FEW_FILES;
    String detail = "at most " + limit + " for a process";
    findings.add(
        few
            ? Finding.warning(
                "open files",
                detail + ": a heap uses about twenty, a server also sockets",
                "ulimit -n 65536, or LimitNOFILE of the service")
            : Finding.ok("open files", detail));
  }

  private void maps() {
    OptionalLong most = machine.number("proc/sys/vm/max_map_count");
    if (most.isEmpty()) {
      return;
    }
    String detail = String.format(Locale.ROOT, "at most %,d for a process", most.getAsLong());
    findings.add(
        most.getAsLong() < FEW_MAPS
            ? Finding.warning(
                "memory maps",
                detail + ": less than the kernel's default; a heap uses one for each extent",
                "sysctl vm.max_map_count=65530")
            : Finding.ok("memory maps", detail));
  }

  private void overcommit() {
    OptionalLong mode = machine.number("proc/sys/vm/overcommit_memory");
    if (mode.isPresent()) {
      findings.add(
          mode.getAsLong() == 2
              ? Finding.warning(
                  "overcommit",
                  "vm.overcommit_memory is 2: the whole home image of a heap on files counts as"
                      + " memory, since it is mapped privately",
                  "sysctl vm.overcommit_memory=0, or heaps smaller than the memory")
              : Finding.ok("overcommit", "vm.overcommit_memory is " + mode.getAsLong()));
    }
  }

  private void hugePages() {
    String directory = "sys/kernel/mm/transparent_hugepage/";
    String enabled = machine.chosen(directory + "enabled").orElse("");
    if (enabled.isEmpty()) {
      return;
    }
    String defrag = machine.chosen(directory + "defrag").orElse("unknown");
    String detail = String.format(Locale.ROOT, "enabled is %s, defrag is %s", enabled, defrag);
    findings.add(
        defrag.equals("always") && enabled.equals("always")
            ? Finding.warning(
                "huge pages",
                detail + ": a page fault may wait until memory was moved together",
                "echo madvise > /" + directory + "defrag")
            : Finding.ok("huge pages", detail));
  }

  private void numa() {
    long nodes =
        machine.names("sys/devices/system/node").stream()
            .filter(name -> name.matches("node[0-9]+"))
            .count();
    if (nodes == 0) {
      return;
    }
    findings.add(
        nodes == 1
            ? Finding.ok("NUMA", "one node")
            : Finding.warning(
                "NUMA",
                String.format(
                    Locale.ROOT, "%d nodes: memory and disk of another one are slower", nodes),
                "numactl --cpunodebind --membind with the node of the disk or of the persistent memory"
                    + " (see /sys/block/*/device/numa_node)"));
  }
}
