package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.support.Limit;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@EnabledOnOs(OS.LINUX)
class DiskFullTest {
  private static final int DISK = 1 << 20;

  @TempDir Path temp;

  private final Arena arena = Arena.ofShared();
  private boolean mounted;

  @AfterEach
  void unmount() throws Exception {
    arena.close();
    if (mounted) {
      run("umount", disk().toString());
    }
  }

  @Test
  void aDeviceWithoutRoomIsADiskThatIsFull() {
    try (var medium = FileMedium.open(temp, false, false);
        var full = new StoredFile(medium, "full", Path.of("/dev/full"), DurableWrite.FDATASYNC)) {
      ByteBuffer source = ByteBuffer.allocate(10).position(2);

      assertThatExceptionOfType(DiskFullException.class)
          .isThrownBy(() -> full.write(source, 40))
          .withMessageContaining("cannot write 8 bytes at offset 40 of /dev/full")
          .returns("EH-DISK-FULL", DiskFullException::code);
      assertThat(source.position()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(DurableWrite.class)
  void afterAFailedDurableWriteEverythingAcknowledgedIsThere(DurableWrite how) throws Exception {
    mount();
    try (var medium = FileMedium.open(disk(), false, false)) {
      medium.create("log").close();
      try (MediumFile log = medium.openLog("log", how)) {
        int acknowledged = fill(log);

        assertThat(acknowledged).isPositive().isLessThanOrEqualTo(DISK / 4096);
        ByteBuffer read = ByteBuffer.allocate(4096);
        for (int i = 0; i < acknowledged; i++) {
          assertThat(log.read(read.clear(), i * 4096L)).isEqualTo(4096);
          assertThat(read.getInt(0)).isEqualTo(i + 1);
        }

        log.truncate(4096);
        log.writeDurably(block(77), 4096);
        assertThat(log.size()).isEqualTo(8192);
      }
    }
  }

  @Test
  void aHeapOpensOnAFullDisk() throws Exception {
    mount();
    FileMedium.open(disk(), false, false).close();
    try (var medium = FileMedium.open(disk(), false, false)) {
      try (MediumFile log = medium.create("log")) {
        fill(log);
      }
    }
    try (var medium = FileMedium.open(disk(), false, false)) {
      assertThat(medium.exists("log")).isTrue();
      assertThatExceptionOfType(DiskFullException.class).isThrownBy(medium::probeDurableWrite);
      assertThat(medium.list("")).noneMatch(name -> name.startsWith("probe"));
    }
  }

  @Test
  void aReadOnlyFileSystemIsReadLikeAnyOther() throws Exception {
    mount();
    byte[] content = new byte[3 * 4096];
    Arrays.fill(content, (byte) 7);
    Files.write(disk().resolve("heap"), content);
    Files.createFile(disk().resolve("lock"));
    run("mount", "-o", "remount,ro", disk().toString());

    try (var medium = FileMedium.open(disk(), true, false);
        MediumFile file = medium.open("heap");
        Region region = file.map(Mapping.PRIVATE, 4096, 2 * 4096)) {
      assertThat(region.size()).isEqualTo(2 * 4096);
      assertThat(region.getLong(2 * 4096 - 8)).isEqualTo(0x0707070707070707L);
      region.putLong(0, 42);
      assertThat(region.getLong(0)).isEqualTo(42);
    }
    assertThatExceptionOfType(MediumException.class)
        .isThrownBy(() -> FileMedium.open(disk(), false, false))
        .withMessageContaining("lock")
        .withMessageContaining("it may only be read here");
    assertThat(DaxMedium.supported(disk())).isFalse();
  }

  @Test
  void theTextOfTheOperatingSystemIsNotTheOnlySign() throws Exception {
    var unknown = new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar");
    long room = Files.getFileStore(temp).getTotalSpace();

    assertThat(Failures.ofWrite("write", temp, 0, room + 1, unknown))
        .isInstanceOf(DiskFullException.class)
        .hasCause(unknown);
    assertThat(Failures.ofWrite("write", temp, 0, 1, unknown))
        .isInstanceOf(MediumException.class)
        .hasMessageContaining("kein Speicherplatz")
        .hasCause(unknown);
    assertThat(Failures.of("map", temp, 0, room + 1, unknown)).isInstanceOf(MediumException.class);
    assertThat(Failures.of("create", temp, new IOException("x: Disk quota exceeded")))
        .isInstanceOf(DiskFullException.class)
        .returns("EH-DISK-FULL", EverheapException::code);
  }

  /** Appends numbered blocks until the disk is full, and returns how many were acknowledged. */
  private int fill(MediumFile log) {
    for (int i = 0; i <= DISK / 4096; i++) {
      try {
        log.writeDurably(block(i + 1), i * 4096L);
      } catch (DiskFullException e) {
        assertThat(e).hasMessageContaining("4096 bytes at offset " + i * 4096L);
        return i;
      }
    }
    throw new AssertionError("the disk never got full");
  }

  private ByteBuffer block(int number) {
    return arena.allocate(4096, 4096).asByteBuffer().putInt(0, number);
  }

  private Path disk() {
    return temp.resolve("disk");
  }

  private void mount() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can mount");
    Files.createDirectory(disk());
    run("mount", "-t", "tmpfs", "-o", "size=" + DISK, "everheap-test", disk().toString());
    mounted = true;
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(Limit.waitFor(process)).as("%s: %s", Arrays.toString(command), output).isZero();
  }
}
