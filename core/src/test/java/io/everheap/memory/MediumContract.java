package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.error.MediumException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every medium. */
abstract class MediumContract {
  private static final int KIB = 1024;
  private static final int EXTENT = 64 * KIB;

  /** Any thread may use what it allocates; closed after each test. */
  final Arena arena = Arena.ofShared();

  private Medium medium;

  abstract Medium open() throws Exception;

  @BeforeEach
  void openMedium() throws Exception {
    medium = open();
  }

  @AfterEach
  void closeMedium() {
    medium.close();
    arena.close();
  }

  @Test
  void aNewFileIsEmptyAndThere() {
    assertThat(medium.exists("heap")).isFalse();

    try (MediumFile file = medium.create("heap")) {
      assertThat(file.name()).isEqualTo("heap");
      assertThat(file.size()).isZero();
      assertThat(file.read(ByteBuffer.allocate(8), 0)).isZero();
    }
    assertThat(medium.exists("heap")).isTrue();
  }

  @Test
  void aFileIsNotCreatedTwice() {
    medium.create("heap").close();

    assertThatExceptionOfType(MediumException.class)
        .isThrownBy(() -> medium.create("heap"))
        .withMessageContaining("heap")
        .withMessageContaining("exists already")
        .returns("EH-IO", MediumException::code);
  }

  @Test
  void aMissingFileIsNotOpened() {
    assertThatExceptionOfType(MediumException.class)
        .isThrownBy(() -> medium.open("heap"))
        .withMessageContaining("heap")
        .withMessageContaining("does not exist");
    assertThatExceptionOfType(MediumException.class)
        .isThrownBy(() -> medium.openLog("log/1", DurableWrite.DSYNC));
  }

  @Test
  void aDirectoryListsItsFilesSorted() {
    medium.create("log/2").close();
    medium.create("log/1").close();
    medium.create("log/deep/3").close();
    medium.create("other").close();

    assertThat(medium.list("log")).containsExactly("1", "2");
    assertThat(medium.list("log/deep")).containsExactly("3");
    assertThat(medium.list("")).contains("other").doesNotContain("log", "log/1");
    assertThat(medium.list("nothing")).isEmpty();
  }

  @Test
  void aRenameReplacesTheTarget() {
    write("new", 0, 1, 2);
    write("old", 0, 3, 4, 5);

    medium.rename("new", "old");
    medium.syncDirectory("");

    assertThat(medium.exists("new")).isFalse();
    assertThat(read("old", 0, 9)).containsExactly(1, 2);
  }

  @Test
  void aMissingFileIsNotRenamed() {
    assertThatExceptionOfType(MediumException.class)
        .isThrownBy(() -> medium.rename("nothing", "heap"))
        .withMessageContaining("nothing");
  }

  @Test
  void deletingAFileIsRepeatable() {
    medium.create("heap").close();

    medium.delete("heap");
    medium.delete("heap");

    assertThat(medium.exists("heap")).isFalse();
  }

  @Test
  void whatWasWrittenIsReadUpToTheEndOfTheFile() {
    write("heap", 5, 1, 2, 3);

    assertThat(read("heap", 0, 100)).containsExactly(0, 0, 0, 0, 0, 1, 2, 3);
    assertThat(read("heap", 6, 1)).containsExactly(2);
    assertThat(read("heap", 8, 100)).isEmpty();
    assertThat(read("heap", 1000, 100)).isEmpty();
  }

  @Test
  void readingAndWritingMoveTheBuffer() {
    try (MediumFile file = medium.create("heap")) {
      ByteBuffer source = ByteBuffer.wrap(new byte[] {9, 1, 2, 9}, 1, 2);
      file.write(source, 0);
      assertThat(source.position()).isEqualTo(3);

      ByteBuffer target = ByteBuffer.wrap(new byte[5], 1, 4);
      assertThat(file.read(target, 0)).isEqualTo(2);
      assertThat(target.position()).isEqualTo(3);
      assertThat(target.array()).containsExactly(0, 1, 2, 0, 0);
    }
  }

  @Test
  void truncatingGrowsWithZerosAndForgetsWhatItCuts() {
    write("heap", 0, 1, 2, 3, 4);
    try (MediumFile file = medium.open("heap")) {
      file.truncate(2);
      assertThat(file.size()).isEqualTo(2);

      file.truncate(6);
      assertThat(file.size()).isEqualTo(6);
      file.sync();
    }
    assertThat(read("heap", 0, 100)).containsExactly(1, 2, 0, 0, 0, 0);
  }

  @Test
  void aNegativeSizeIsRefused() {
    try (MediumFile file = medium.create("heap")) {
      assertThatIllegalArgumentException().isThrownBy(() -> file.truncate(-1));
    }
  }

  @ParameterizedTest
  @EnumSource(DurableWrite.class)
  void durableWritesAreReadBack(DurableWrite how) {
    medium.create("log/1").close();
    ByteBuffer source = blocks(3);
    try (MediumFile log = medium.openLog("log/1", how)) {
      log.writeDurably(source, 2L * MediumFile.BLOCK);

      assertThat(source.hasRemaining()).isFalse();
      assertThat(log.size()).isEqualTo(5L * MediumFile.BLOCK);
      log.writeDurably(source.flip(), 5L * MediumFile.BLOCK);
    }
    byte[] content = read("log/1", 0, 9 * MediumFile.BLOCK);
    assertThat(content).hasSize(8 * MediumFile.BLOCK);
    assertThat(Arrays.copyOf(content, 2 * MediumFile.BLOCK)).containsOnly(0);
    for (int i = 2 * MediumFile.BLOCK; i < content.length; i++) {
      assertThat(content[i]).isEqualTo((byte) ((i - 2 * MediumFile.BLOCK) % (3 * 4096) % 251));
    }
  }

  @ParameterizedTest
  @EnumSource(DurableWrite.class)
  void durableWritesMustBeAligned(DurableWrite how) {
    medium.create("log/1").close();
    try (MediumFile log = medium.openLog("log/1", how)) {
      assertThatIllegalArgumentException().isThrownBy(() -> log.writeDurably(blocks(1), 512));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> log.writeDurably(blocks(1).limit(512), 0));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> log.writeDurably(blocks(2).position(512).limit(512 + 4096), 0));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> log.writeDurably(ByteBuffer.allocate(4096), 0));
      assertThat(log.size()).isZero();
    }
  }

  @Test
  void sharedMappingsOfARangeAreTheSameMemory() {
    try (MediumFile file = medium.create("heap");
        Region first = file.map(Mapping.SHARED, EXTENT, EXTENT);
        Region second = file.map(Mapping.SHARED, EXTENT, EXTENT);
        Region part = file.map(Mapping.SHARED, EXTENT + 4096, 4096);
        Region neighbour = file.map(Mapping.SHARED, 2 * EXTENT, EXTENT)) {
      first.putLong(4096, 42);
      neighbour.putLong(0, 43);

      assertThat(first.size()).isEqualTo(EXTENT);
      assertThat(second.getLong(4096)).isEqualTo(42);
      assertThat(part.getLong(0)).isEqualTo(42);
      assertThat(read("heap", EXTENT + 4096, 1)).containsExactly(42);
      assertThat(read("heap", 2 * EXTENT, 1)).containsExactly(43);
    }
  }

  @Test
  void aSharedMappingSeesWhatIsWrittenBeforeAndAfter() {
    write("heap", EXTENT - 1, 1, 2, 3);
    try (MediumFile file = medium.open("heap");
        Region region = file.map(Mapping.SHARED, EXTENT, EXTENT)) {
      assertThat(region.getShort(0)).isEqualTo((short) 0x0302);

      file.write(ByteBuffer.wrap(new byte[] {7, 8}), EXTENT - 1);

      assertThat(region.getShort(0)).isEqualTo((short) 0x0308);
      region.force(0, EXTENT);
    }
    assertThat(read("heap", EXTENT - 1, 3)).containsExactly(7, 8, 3);
  }

  @Test
  void storesToASharedMappingOutliveIt() {
    try (MediumFile file = medium.create("heap")) {
      try (Region region = file.map(Mapping.SHARED, 0, EXTENT)) {
        region.putLong(8, 42);
      }
      try (Region region = file.map(Mapping.SHARED, 0, EXTENT)) {
        assertThat(region.getLong(8)).isEqualTo(42);
      }
    }
  }

  @Test
  void storesToAPrivateMappingStayPrivate() {
    write("heap", 0, 1, 2, 3);
    try (MediumFile file = medium.open("heap");
        Region region = file.map(Mapping.PRIVATE, 0, EXTENT);
        Region other = file.map(Mapping.PRIVATE, 0, EXTENT)) {
      assertThat(region.getInt(0)).isEqualTo(0x030201);
      region.putInt(0, 7);

      assertThat(region.getInt(0)).isEqualTo(7);
      assertThat(other.getInt(0)).isEqualTo(0x030201);
    }
    assertThat(read("heap", 0, 3)).containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @EnumSource(
      value = Mapping.class,
      names = {"SHARED", "PRIVATE"})
  void mappingGrowsAShorterFile(Mapping mapping) {
    try (MediumFile file = medium.create("heap");
        Region region = file.map(mapping, EXTENT, EXTENT)) {
      assertThat(file.size()).isEqualTo(2 * EXTENT);
      assertThat(region.getLong(EXTENT - 8)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Mapping.class,
      names = {"SHARED", "PRIVATE"})
  void aRegionOutlivesItsFile(Mapping mapping) {
    MediumFile file = medium.create("heap");
    try (Region region = file.map(mapping, 0, EXTENT)) {
      file.close();
      medium.delete("heap");

      region.putLong(0, 42);
      assertThat(region.getLong(0)).isEqualTo(42);
    }
  }

  @Test
  void aMappingForReadingShowsWhatIsWrittenLater() {
    try (MediumFile file = medium.create("heap")) {
      file.truncate(EXTENT);
      try (Region shared = file.map(Mapping.SHARED, 0, EXTENT);
          Region reading = file.map(Mapping.READ, 0, EXTENT)) {
        assertThat(reading.getLong(8)).isZero();
        shared.putLong(8, 42);
        assertThat(reading.getLong(8)).isEqualTo(42);
        file.write(ByteBuffer.wrap(new byte[] {7}), 16);
        assertThat(reading.getByte(16)).isEqualTo((byte) 7);
      }
    }
  }

  @Test
  void senselessRangesAreNotMapped() {
    try (MediumFile file = medium.create("heap")) {
      assertThatIllegalArgumentException().isThrownBy(() -> file.map(Mapping.SHARED, 0, 0));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> file.map(Mapping.SHARED, -1, 10));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> file.map(Mapping.PRIVATE, Long.MAX_VALUE, 10));
    }
  }

  @Test
  void aClosedFileRefusesEverything() {
    MediumFile file = medium.create("heap");
    file.sync();
    file.close();
    file.close();

    List<Runnable> operations =
        List.of(
            file::size,
            file::sync,
            () -> file.truncate(1),
            () -> file.read(ByteBuffer.allocate(1), 0),
            () -> file.write(ByteBuffer.allocate(1), 0),
            () -> file.writeDurably(blocks(1), 0),
            () -> file.map(Mapping.PRIVATE, 0, 1));
    assertThat(operations)
        .allSatisfy(operation -> assertThatIllegalStateException().isThrownBy(operation::run));
    assertThat(file.name()).isEqualTo("heap");
  }

  @Test
  void aClosedMediumRefusesEverything() {
    MediumFile file = medium.create("heap");
    file.sync();
    medium.close();
    medium.close();

    List<Runnable> operations =
        List.of(
            () -> medium.exists("heap"),
            () -> medium.list(""),
            () -> medium.create("new"),
            () -> medium.open("heap"),
            () -> medium.openLog("heap", DurableWrite.DSYNC),
            () -> medium.rename("heap", "new"),
            () -> medium.delete("heap"),
            () -> medium.syncDirectory(""),
            medium::probeDurableWrite,
            file::size,
            file::sync,
            () -> file.write(ByteBuffer.allocate(1), 0),
            () -> file.map(Mapping.PRIVATE, 0, 1));
    assertThat(operations)
        .allSatisfy(operation -> assertThatIllegalStateException().isThrownBy(operation::run));
    file.close();
  }

  @Test
  void theProbeLeavesNothingBehind() {
    List<String> before = medium.list("");

    assertThat(medium.probeDurableWrite()).isNotNull();

    assertThat(medium.list("")).isEqualTo(before);
  }

  @Test
  void theIncarnationStaysTheSame() {
    assertThat(medium.incarnation()).isNotBlank().isEqualTo(medium.incarnation());
  }

  /** Returns a buffer for durable writes: byte i is i % 251. */
  final ByteBuffer blocks(int count) {
    ByteBuffer buffer =
        arena.allocate((long) count * MediumFile.BLOCK, MediumFile.BLOCK).asByteBuffer();
    for (int i = 0; i < buffer.capacity(); i++) {
      buffer.put(i, (byte) (i % 251));
    }
    return buffer;
  }

  private void write(String name, long position, int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    try (MediumFile file = medium.create(name)) {
      file.write(ByteBuffer.wrap(bytes), position);
    }
  }

  private byte[] read(String name, long position, int length) {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    try (MediumFile file = medium.open(name)) {
      return Arrays.copyOf(buffer.array(), file.read(buffer, position));
    }
  }
}
