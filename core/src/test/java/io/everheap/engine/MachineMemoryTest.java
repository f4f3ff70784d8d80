package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineMemoryTest {
  @TempDir Path temp;

  private Path proc;
  private Path groups;

  @BeforeEach
  void machineOfEightGibibytes() throws IOException {
    proc = temp.resolve("proc");
    groups = temp.resolve("groups");
    Files.createDirectories(groups);
    write(proc.resolve("meminfo"), "MemTotal:        8388608 kB\nMemFree:  1 kB\n");
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private long total() {
    return MachineMemory.total(proc, groups);
  }

  @Test
  void withoutGroupsItIsTheMachines() {
    assertThat(total()).isEqualTo(8L << 30);
  }

  @Test
  void thePageIsThatOfTheKernel() throws IOException {
    assertThat(MachineMemory.page(proc)).isEqualTo(4 << 10);
    for (int size : List.of(4 << 10, 16 << 10, 64 << 10)) {
      ByteBuffer pairs = ByteBuffer.allocate(64).order(ByteOrder.nativeOrder());
      pairs.putLong(33).putLong(0x7fff_0000_0000L).putLong(6).putLong(size).putLong(0).putLong(0);
      Files.createDirectories(proc.resolve("self"));
      Files.write(proc.resolve("self/auxv"), pairs.array());
      assertThat(MachineMemory.page(proc)).isEqualTo(size);
    }
  }

  @Test
  void inAContainerItIsTheLimitOfTheRoot() throws IOException {
    write(proc.resolve("self/cgroup"), "0::/system.slice/of-the-host\n");
    write(groups.resolve("memory.max"), (512L << 20) + "\n");

    assertThat(total()).isEqualTo(512L << 20);
  }

  @Test
  void theGroupOfTheProcessCountsAndTheOnesItIsIn() throws IOException {
    write(proc.resolve("self/cgroup"), "0::/a/b\n");
    write(groups.resolve("a/b/memory.max"), "max\n");
    write(groups.resolve("a/memory.max"), (1L << 30) + "\n");

    assertThat(total()).isEqualTo(1L << 30);

    write(groups.resolve("a/b/memory.max"), (256L << 20) + "\n");
    assertThat(total()).isEqualTo(256L << 20);
  }

  @Test
  void groupsOfTheFirstVersionCountToo() throws IOException {
    write(proc.resolve("self/cgroup"), "9:name=systemd:/\n4:cpu,memory:/jobs/1\n0::/\n");
    write(groups.resolve("memory/jobs/1/memory.limit_in_bytes"), (300L << 20) + "\n");
    write(groups.resolve("memory/memory.limit_in_bytes"), Long.MAX_VALUE / 4096 * 4096 + "\n");

    assertThat(total()).isEqualTo(300L << 20);
  }

  @Test
  void whatMakesNoSenseIsLeftOut() throws IOException {
    write(proc.resolve("self/cgroup"), "nonsense\n0::/../../etc\n:memory:\n");
    write(groups.resolve("memory.max"), "plenty\n");

    assertThat(total()).isEqualTo(8L << 30);
  }

  @Test
  void aNumberThatIsNoneIsLeftOut() throws IOException {
    for (String none : List.of("0", "-1", "99999999999999999999", "")) {
      write(groups.resolve("memory.max"), none + "\n");
      assertThat(total()).isEqualTo(8L << 30);
    }
  }

  @Test
  void aNameThatNoPathCanHaveLeavesTheRoot() throws IOException {
    write(groups.resolve("memory.max"), (1L << 30) + "\n");
    write(groups.resolve("memory/memory.limit_in_bytes"), (2L << 30) + "\n");
    write(proc.resolve("self/cgroup"), "4:memory:/a\0b\n");

    assertThat(total()).isEqualTo(1L << 30);

    write(groups.resolve("memory/memory.limit_in_bytes"), (700L << 20) + "\n");
    assertThat(total()).isEqualTo(700L << 20);
  }

  @Test
  void thereIsAlwaysSome() throws IOException {
    write(groups.resolve("memory.max"), "4096\n");

    assertThat(total()).isEqualTo(64L << 20);
  }

  @Test
  void elsewhereItIsTakenFromTheJavaHeap() {
    assertThat(MachineMemory.total(temp.resolve("no-proc"), groups))
        .isGreaterThanOrEqualTo(64L << 20);
  }
}
