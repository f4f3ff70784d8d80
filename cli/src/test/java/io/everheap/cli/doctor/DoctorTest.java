package io.everheap.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.doctor.Finding.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verdicts, on machines whose {@code /proc} and {@code /sys} the test writes. */
class DoctorTest {
  @TempDir private Path root;

  @Test
  void mountsAreFoundByTheirDeepestPathAndTheNewestOfTwoCounts() throws IOException {
    mounts(
        "1 0 254:0 / / rw,relatime - ext4 /dev/vda rw",
        "2 1 254:1 / /data rw - xfs /dev/vdb rw",
        "3 1 254:2 / /data rw,noatime shared:7 - xfs /dev/vdc rw,nobarrier",
        "4 1 254:3 / /with\\040blank rw - ext4 /dev/vdd rw");
    assertThat(mount("/data/heap").source()).isEqualTo("/dev/vdc");
    assertThat(mount("/data/heap").options()).contains("noatime", "nobarrier");
    assertThat(mount("/database").source()).isEqualTo("/dev/vda");
    assertThat(mount("/with blank/heap").source()).isEqualTo("/dev/vdd");
  }

  @Test
  void fileSystemsAndTheirOptionsAreJudged() {
    assertThat(type("ext4", "rw")).isEqualTo(Verdict.OK);
    assertThat(type("tmpfs", "rw")).isEqualTo(Verdict.PROBLEM);
    assertThat(type("nfs4", "rw")).isEqualTo(Verdict.WARNING);
    assertThat(type("fuse.sshfs", "rw")).isEqualTo(Verdict.WARNING);
    assertThat(type("btrfs", "rw")).isEqualTo(Verdict.WARNING);
    assertThat(type("btrfs", "rw", "nodatacow")).isEqualTo(Verdict.OK);
    assertThat(type("newfs", "rw")).isEqualTo(Verdict.WARNING);
    assertThat(options("rw", "relatime")).isEqualTo(Verdict.OK);
    assertThat(options("ro")).isEqualTo(Verdict.PROBLEM);
    assertThat(options("rw", "nobarrier")).isEqualTo(Verdict.PROBLEM);
    assertThat(options("rw", "barrier=0")).isEqualTo(Verdict.PROBLEM);
    assertThat(options("rw", "data=journal")).isEqualTo(Verdict.WARNING);
  }

  @Test
  void theDiskIsFoundThroughPartitionsAndVolumes() throws IOException {
    write("sys/devices/pci0/nvme0n1/queue/write_cache", "write back");
    write("sys/devices/pci0/nvme0n1/queue/fua", "1");
    write("sys/devices/pci0/nvme0n1/queue/rotational", "0");
    write("sys/devices/pci0/nvme0n1/nvme0n1p2/partition", "2");
    write("sys/devices/virtual/dm-0/queue/write_cache", "write through");
    write("sys/devices/virtual/dm-0/slaves/nvme0n1p2/size", "1");
    link("sys/class/block/nvme0n1p2", "sys/devices/pci0/nvme0n1/nvme0n1p2");
    link("sys/dev/block/259:2", "sys/devices/pci0/nvme0n1/nvme0n1p2");
    link("sys/dev/block/253:0", "sys/devices/virtual/dm-0");
    for (String device : List.of("259:2", "253:0")) {
      Finding found = device(device, "/dev/mapper/x");
      assertThat(found.verdict()).isEqualTo(Verdict.OK);
      assertThat(found.detail()).startsWith("nvme0n1 ").contains("write-back", "FUA");
    }
    assertThat(device("0:44", "tank/data").verdict()).isEqualTo(Verdict.WARNING);
  }

  @Test
  void aVirtualDiskWithoutCacheIsNotBelieved() throws IOException {
    write("sys/devices/virtio0/vda/queue/write_cache", "write through");
    link("sys/dev/block/254:0", "sys/devices/virtio0/vda");
    assertThat(device("254:0", "/dev/vda").verdict()).isEqualTo(Verdict.WARNING);
    write("sys/devices/ata/sda/queue/write_cache", "write through");
    link("sys/dev/block/8:0", "sys/devices/ata/sda");
    assertThat(device("8:0", "/dev/sda").verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void theKernelIsJudged() throws IOException {
    write("proc/sys/kernel/osrelease", "6.12.3-amd64");
    write("proc/sys/kernel/random/boot_id", "0a");
    write("proc/self/limits", "Limit Soft Hard Units\nMax open files            1048576  9 files");
    write("proc/sys/vm/max_map_count", "65530");
    write("proc/sys/vm/overcommit_memory", "0");
    write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    write("sys/kernel/mm/transparent_hugepage/defrag", "[always] defer madvise never");
    Files.createDirectories(root.resolve("sys/devices/system/node/node0"));
    assertThat(verdicts())
        .isEqualTo(
            "kernel OK, boot id OK, open files OK, memory maps OK, overcommit OK, huge pages OK,"
                + " NUMA OK");

    write("proc/sys/kernel/osrelease", "4.4.0");
    Files.delete(root.resolve("proc/sys/kernel/random/boot_id"));
    write("proc/self/limits", "Max open files            256    256   files");
    write("proc/sys/vm/max_map_count", "1000");
    write("proc/sys/vm/overcommit_memory", "2");
    write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
    Files.createDirectories(root.resolve("sys/devices/system/node/node1"));
    assertThat(verdicts())
        .isEqualTo(
            "kernel PROBLEM, boot id WARNING, open files WARNING, memory maps WARNING, overcommit"
                + " WARNING, huge pages WARNING, NUMA WARNING");
  }

  @Test
  void theMemoryIsThatOfTheMachineOrTheLimitOfTheControlGroup() throws IOException {
    write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB");
    assertThat(MemoryCheck.of(new Machine(root)).detail())
        .startsWith("16,384 MiB; ")
        .contains(" 4,096 MiB ");
    write("proc/self/cgroup", "0::/app");
    write("sys/fs/cgroup/app/memory.max", "" + (1L << 30));
    Finding roomy = MemoryCheck.of(new Machine(root));
    assertThat(roomy.verdict()).isEqualTo(Verdict.OK);
    assertThat(roomy.detail()).startsWith("1,024 MiB, the limit of its control group, of 16,384");
    write("sys/fs/cgroup/app/memory.max", "" + (128L << 20));
    assertThat(MemoryCheck.of(new Machine(root)).verdict()).isEqualTo(Verdict.WARNING);
    write("sys/fs/cgroup/app/memory.max", "" + (32L << 20));
    assertThat(MemoryCheck.of(new Machine(root)).detail())
        .startsWith("32 MiB, the limit")
        .contains(" 16 MiB for what");
  }

  @Test
  void permissionsAreJudged() throws IOException {
    Path directory = Files.createDirectory(root.resolve("heap"));
    permissions(directory, "rwx------");
    Finding own = PermissionCheck.of(directory).orElseThrow();
    assertThat(own.verdict()).isEqualTo(Verdict.OK);
    assertThat(own.detail())
        .startsWith("rwx------, owned by ")
        .endsWith("this process runs as " + System.getProperty("user.name"));
    permissions(directory, "rwxrwxrwx");
    assertThat(PermissionCheck.of(directory).orElseThrow().verdict()).isEqualTo(Verdict.WARNING);
  }

  @Test
  void whatThisUserMayNotUseIsAProblem() throws IOException {
    Path directory = Files.createDirectory(root.resolve("heap"));
    permissions(directory, "rwxr-xr-x");
    Path file = Files.createFile(directory.resolve("heap.root"));
    permissions(file, "r--r--r--");
    Predicate<Path> usable = path -> !path.equals(file);
    assertThat(PermissionCheck.of(directory, usable).orElseThrow().verdict()).isEqualTo(Verdict.OK);
    Files.createFile(directory.resolve("heap"));
    Finding found = PermissionCheck.of(directory, usable).orElseThrow();
    assertThat(found.verdict()).isEqualTo(Verdict.PROBLEM);
    assertThat(found.detail()).contains("may not read or write heap.root: r--r--r--, owned by ");
    found = PermissionCheck.of(directory, _ -> false).orElseThrow();
    assertThat(found.verdict()).isEqualTo(Verdict.PROBLEM);
    assertThat(found.detail()).endsWith("and may not read or write it");
  }

  private static void permissions(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void whereNothingIsToldNothingIsClaimed() {
    assertThat(verdicts()).isEqualTo("kernel WARNING, boot id WARNING");
  }

  @Test
  void costAndSpaceAreJudged() {
    assertThat(WriteCost.judge(false, 3, 5).verdict()).isEqualTo(Verdict.WARNING);
    assertThat(WriteCost.judge(true, 3, 5).verdict()).isEqualTo(Verdict.OK);
    assertThat(WriteCost.judge(false, 300, 500).verdict()).isEqualTo(Verdict.OK);
    assertThat(WriteCost.judge(false, 9_000, 20_000).verdict()).isEqualTo(Verdict.WARNING);
    assertThat(Doctor.space(100L << 20, 1L << 40).verdict()).isEqualTo(Verdict.PROBLEM);
    assertThat(Doctor.space(50L << 30, 1L << 40).verdict()).isEqualTo(Verdict.WARNING);
    assertThat(Doctor.space(1L << 39, 1L << 40).verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void whateverIsFoundWrongHasAnAdvice() throws IOException {
    Path directory = Files.createDirectory(root.resolve("heaps"));
    List<Finding> findings = Doctor.examine(Machine.here(), directory);
    assertThat(findings)
        .allMatch(finding -> finding.verdict() == Verdict.OK || !finding.advice().isEmpty())
        .extracting(Finding::name)
        .contains("free space", "durable write", "JDK");
    assertThat(directory).isEmptyDirectory();
  }

  private String verdicts() {
    return KernelCheck.of(new Machine(root)).stream()
        .map(finding -> finding.name() + " " + finding.verdict())
        .collect(Collectors.joining(", "));
  }

  private static Verdict type(String type, String... options) {
    return verdict(type, List::getFirst, options);
  }

  private static Verdict options(String... options) {
    return verdict("ext4", List::getLast, options);
  }

  private static Verdict verdict(
      String type, Function<List<Finding>, Finding> which, String... options) {
    var mount = new MountPoint("8:1", type, "/dev/sda1", List.of(options));
    return which.apply(FileSystemCheck.of(mount)).verdict();
  }

  private Finding device(String device, String source) {
    return new DeviceCheck(new Machine(root)).of(new MountPoint(device, "xfs", source, List.of()));
  }

  private MountPoint mount(String path) {
    return MountPoint.of(new Machine(root), Path.of(path)).orElseThrow();
  }

  private void mounts(String... lines) throws IOException {
    write("proc/self/mountinfo", String.join("\n", lines) + "\n");
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private void link(String from, String to) throws IOException {
    Path link = root.resolve(from);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, root.resolve(to));
  }
}
