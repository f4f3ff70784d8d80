package io.everheap.cli.doctor;

import java.util.List;
import java.util.Set;

/** The file system and its mount options: does a sync reach the medium, and do locks hold. */
final class FileSystemCheck {
  private static final Set<String> LOCAL =
      Set.of("ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs");
  private static final Set<String> VOLATILE = Set.of("tmpfs", "ramfs", "devtmpfs", "rootfs");
  private static final Set<String> REMOTE =
      Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "virtiofs", "glusterfs", "lustre");

  private FileSystemCheck() {}

  static List<Finding> of(MountPoint mount) {
    return List.of(type(mount), options(mount));
  }

  private static Finding type(MountPoint mount) {
    String name = "file system";
    String type = mount.type();
    String detail = type + " on " + mount.source();
    if (VOLATILE.contains(type)) {
      return Finding.problem(
          name,
          detail + ": it is in memory, all is lost with the power and with the mount",
          "use a directory on a disk; only what survives kill -9 can be tried here");
    }
    if (REMOTE.contains(type) || type.startsWith("fuse")) {
      return Finding.warning(
          name,
          detail + ": locks and syncs are what its server makes of them",
          "use a local disk, or run selftest here and ask whether the server keeps what was synced");
    }
    if (type.equals("overlay")) {
      return Finding.warning(
          name, detail + ": it goes away with its container", "mount a volume for the heap");
    }
    if (type.equals("btrfs") && !mount.has("nodatacow")) {
      return Finding.warning(
          name,
          detail
              + ": it copies on write, so synced writes are slow, and a full disk stops changes of"
              + " data that is there, or holds the process until there is space",
          "use ext4 or xfs; or chattr +C on the empty directory, and keep space free");
    }
    if (type.equals("xfs")) {
      return Finding.ok(
          name,
          detail
              + "; it copies on write only where cp made reflinks, as cp -a does by default:"
              + " copy with cp --reflink=never, or keep as much space free as the copy has");
    }
    if (type.equals("zfs") || type.equals("bcachefs")) {
      return Finding.warning(
          name,
          detail + ": it copies on write, so a full disk stops changes of data that is there",
          "keep space free, or use ext4 or xfs");
    }
    if (!LOCAL.contains(type)) {
      return Finding.warning(
          name,
          detail + ": the tests of this project do not know it",
          "use ext4 or xfs, or run selftest here");
    }
    return Finding.ok(name, detail);
  }

  private static Finding options(MountPoint mount) {
    String name = "mount options";
    String detail = String.join(",", mount.options());
    if (mount.has("ro")) {
      return Finding.problem(
          name, detail + ": it is mounted read-only", "heaps can be read here, not written");
    }
    if (mount.has("nobarrier") || "0".equals(mount.value("barrier"))) {
      return Finding.problem(
          name,
          detail + ": without barriers a sync leaves data in the disk's cache",
          "mount without nobarrier or barrier=0");
    }
    if ("journal".equals(mount.value("data"))) {
      return Finding.warning(
          name,
          detail + ": data=journal writes everything twice and excludes direct writes",
          "mount with data=ordered, the default");
    }
    if (mount.has("sync")) {
      return Finding.warning(
          name,
          detail + ": with sync every write waits, also those of checkpoints",
          "mount without sync: the library syncs what must be durable");
    }
    return Finding.ok(name, detail);
  }
}
