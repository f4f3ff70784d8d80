package io.everheap.cli.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Looks at a directory and the machine below it. */
public final class Doctor {
  private static final long LEAST_BYTES = 256L << 20; // a new heap and its log, and some data
  private static final int NEEDED_JAVA = 25;

  private Doctor() {}

  /**
   * Examines a directory; makes a small heap in it, and deletes it.
   *
   * @param machine below it
   * @throws IOException if the directory cannot be read or written
   */
  public static List<Finding> examine(Machine machine, Path directory) throws IOException {
    Path real = directory.toRealPath();
    List<Finding> findings = new ArrayList<>();
    Optional<MountPoint> mount = MountPoint.of(machine, real);
    if (mount.isPresent()) {
      findings.addAll(FileSystemCheck.of(mount.get()));
      findings.add(new DeviceCheck(machine).of(mount.get()));
    } else {
      FileStore store = Files.getFileStore(real);
      findings.add(
          Finding.warning(
              "file system",
              store.type() + " (" + store.name() + "); its options are not known on this system",
              "run selftest here"));
    }
    boolean isReadOnly = mount.isPresent() && mount.get().has("ro");
    if (!isReadOnly) { // nothing is writable there
      PermissionCheck.of(real).ifPresent(findings::add);
    }
    FileStore store = Files.getFileStore(real);
    Finding space = space(store.getUsableSpace(), store.getTotalSpace());
    findings.add(space);
    if (isReadOnly) {
      findings.add(Finding.warning("durable write", "not measured: read-only", "see above"));
    } else if (!PermissionCheck.isUsable(real)) {
      findings.add(Finding.warning("durable write", "not measured: no permission", "see above"));
    } else if (space.verdict() == Finding.Verdict.PROBLEM) {
      findings.add(Finding.warning("durable write", "not measured: no room", "make room"));
    } else {
      findings.addAll(WriteCost.measure(real));
    }
    findings.addAll(KernelCheck.of(machine));
    findings.add(MemoryCheck.of(machine));
    findings.add(java());
    return List.copyOf(findings);
  }

  static Finding space(long usable, long total) {
    String detail =
        String.format(
            Locale.ROOT,
            "%.1f of %.1f GiB",
            usable / (double) (1 << 30),
            total / (double) (1 << 30));
    if (usable < LEAST_BYTES) {
      return Finding.problem("free space", detail, "make room: a heap needs at least 256 MiB");
    }
    return usable < total / 10
        ? Finding.warning("free space", detail + ": nearly full", "make room before a heap grows")
        : Finding.ok("free space", detail);
  }

  private static Finding java() {
    String detail =
        String.format(
            Locale.ROOT,
            "%s %s, %s",
            System.getProperty("java.vm.name"),
            Runtime.version(),
            System.getProperty("os.arch"));
    if (Runtime.version().feature() < NEEDED_JAVA) {
      return Finding.problem("JDK", detail, "use JDK 25 or newer");
    }
    return Runtime.version().pre().isPresent()
        ? Finding.warning("JDK", detail + ": not a released version", "use a released JDK")
        : Finding.ok("JDK", detail);
  }
}
