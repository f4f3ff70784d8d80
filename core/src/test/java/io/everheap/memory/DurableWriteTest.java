package io.everheap.memory;

import static io.everheap.memory.DurableWrite.DIRECT_DSYNC;
import static io.everheap.memory.DurableWrite.DSYNC;
import static io.everheap.memory.DurableWrite.FDATASYNC;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DurableWriteTest {
  private static final int O_DSYNC = 010000;

  @TempDir Path temp;

  @ParameterizedTest
  @EnumSource(DurableWrite.class)
  @EnabledOnOs(OS.LINUX)
  void theKernelIsAskedForWhatTheFileSays(DurableWrite how) throws IOException {
    try (var medium = FileMedium.open(temp, false, false)) {
      medium.create("log").close();
      try (MediumFile log = medium.openLog("log", how)) {
        log.writeDurably(ByteBuffer.allocateDirect(8192).alignedSlice(4096).limit(4096), 0);

        assertThat(log.durableWrite()).isIn(how, how == DIRECT_DSYNC ? DSYNC : how);
        List<Integer> flags = flags(temp.toRealPath().resolve("log"));
        boolean synchronous = flags.stream().anyMatch(f -> (f & O_DSYNC) != 0);
        boolean direct = flags.stream().anyMatch(f -> (f & direct()) != 0);
        assertThat(synchronous).isEqualTo(log.durableWrite() != FDATASYNC);
        assertThat(direct).isEqualTo(log.durableWrite() == DIRECT_DSYNC);
      }
      assertThat(flags(temp.toRealPath().resolve("log"))).isEmpty();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFileSystemWithoutDirectWritesGetsTheNextBest() {
    // Files of /proc can be opened, but refuse the option.
    assertThat(DirectOption.works(Path.of("/proc/self/comm"))).isFalse();
  }

  @Test
  void aFileOpenedWithoutAWishSyncs() {
    try (var medium = FileMedium.open(temp, false, false);
        MediumFile created = medium.create("log");
        MediumFile opened = medium.open("log")) {
      assertThat(created.durableWrite()).isEqualTo(FDATASYNC);
      assertThat(opened.durableWrite()).isEqualTo(FDATASYNC);
    }
  }

  @Test
  void aSystemWhoseWritesStayInTheCacheOfTheDiskSyncs() {
    for (DurableWrite wanted : DurableWrite.values()) {
      assertThat(wanted.on("Mac OS X")).isEqualTo(FDATASYNC);
      assertThat(wanted.on("Linux")).isEqualTo(wanted);
      assertThat(wanted.on("Windows 11")).isEqualTo(wanted);
    }
  }

  @Test
  void theSimplestWayWinsUnlessAnotherIsClearlyFaster() {
    assertThat(choose(100, 100, 100)).isEqualTo(FDATASYNC);
    assertThat(choose(100, 95, 91)).isEqualTo(FDATASYNC);
    assertThat(choose(100, 80, 100)).isEqualTo(DSYNC);
    assertThat(choose(100, 80, 75)).isEqualTo(DSYNC);
    assertThat(choose(100, 80, 60)).isEqualTo(DIRECT_DSYNC);
    assertThat(choose(100, 120, 60)).isEqualTo(DIRECT_DSYNC);
    assertThat(DurableWriteProbe.choose(Map.of(FDATASYNC, 100L, DSYNC, 50L))).isEqualTo(DSYNC);
  }

  private static DurableWrite choose(long sync, long dsync, long direct) {
    return DurableWriteProbe.choose(Map.of(FDATASYNC, sync, DSYNC, dsync, DIRECT_DSYNC, direct));
  }

  /** O_DIRECT of arm64 and of x86: an emulator shows the flags of its host. */
  private static int direct() {
    return 0200000 | 040000; // O_DIRECTORY is the other one, which no file has
  }

  /** The flags of all descriptors that this process has open on a file. */
  private static List<Integer> flags(Path file) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .filter(descriptor -> leadsTo(descriptor, file))
          .map(Path::getFileName)
          .map(DurableWriteTest::flagsOf)
          .toList();
    }
  }

  private static boolean leadsTo(Path descriptor, Path file) {
    try {
      return Files.readSymbolicLink(descriptor).equals(file);
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  private static int flagsOf(Path descriptor) {
    try {
      return Files.readAllLines(Path.of("/proc/self/fdinfo").resolve(descriptor)).stream()
          .filter(line -> line.startsWith("flags:"))
          .mapToInt(line -> Integer.parseInt(line.substring(6).strip(), 8))
          .sum();
    } catch (IOException e) {
      return 0;
    }
  }
}
