package io.everheap.cli.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the kernel knows of the write cache of the disk under a file system. */
final class DeviceCheck {
  private static final String NAME = "disk cache";
  private static final int DEEPEST = 8;

  private final Machine machine;

  DeviceCheck(Machine machine) {
    this.machine = machine;
  }

  Finding of(MountPoint mount) {
    Optional<String> directory = directory(mount);
    if (directory.isEmpty()) {
      return Finding.warning(
          NAME,
          "no block device is known for " + mount.source(),
          "find out whether what is below keeps synced data when the power fails");
    }
    String disk = lowest(directory.get());
    String device = disk.substring(disk.lastIndexOf('/') + 1);
    String cache = machine.read(disk + "/queue/write_cache").orElse("unknown");
    String kind =
        "1".equals(machine.read(disk + "/queue/rotational").orElse(""))
            ? "disk"
            : "flash or virtual";
    return switch (cache) {
      case "write back" ->
          Finding.ok(
              NAME,
              String.format(
                  Locale.ROOT,
                  "%s (%s): a write-back cache, which the kernel flushes%s",
                  device,
                  kind,
                  forced(disk) ? "; it has forced writes (FUA)" : ""));
      case "write through" ->
          device.startsWith("vd") || device.startsWith("xvd") || device.startsWith("loop")
              ? Finding.warning(
                  NAME,
                  device + ": says that it has no write cache, so nothing is flushed below it",
                  "this is a virtual disk: what a sync is worth is decided outside of this machine;"
                      + " see that its host does not cache writes (QEMU: not cache=unsafe)")
              : Finding.ok(
                  NAME,
                  String.format(
                      Locale.ROOT, "%s (%s): says that it has no volatile cache", device, kind));
      default ->
          Finding.warning(
              NAME,
              device + ": the kernel does not know whether it has a write cache",
              "ask its manufacturer, or switch its cache off");
    };
  }

  /** The device, or the disk of a partition, in {@code /sys}; empty for what is no block device. */
  private Optional<String> directory(MountPoint mount) {
    Optional<String> found = disk("sys/dev/block/" + mount.device());
    return found.isEmpty() && mount.source().startsWith("/dev/")
        ? disk("sys/class/block/" + mount.source().substring("/dev/".length()))
        : found;
  }

  private Optional<String> disk(String link) {
    return machine
        .link(link)
        .map(
            path ->
                machine.read(path + "/partition").isPresent()
                    ? path.substring(0, path.lastIndexOf('/'))
                    : path);
  }

  /** The first disk under a device mapper, a volume of several disks, or cryptography. */
  private String lowest(String directory) {
    String disk = directory;
    for (int i = 0; i < DEEPEST; i++) {
      List<String> below = machine.names(disk + "/slaves");
      Optional<String> next =
          below.isEmpty() ? Optional.empty() : disk("sys/class/block/" + below.getFirst());
      if (next.isEmpty()) {
        break;
      }
      disk = next.get();
    }
    return disk;
  }

  private boolean forced(String disk) {
    return machine.read(disk + "/queue/fua").orElse("0").equals("1");
  }
}
