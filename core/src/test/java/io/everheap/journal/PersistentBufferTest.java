package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.MediumException;
import io.everheap.support.Limit;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PersistentBufferTest {
  @TempDir private Path directory;

  @Test
  void whatIsForcedIsInTheFile() throws Exception {
    Path path = directory.resolve("buffer");
    try (PersistentBuffer buffer = PersistentBuffer.map(path, 10_000)) {
      assertThat(buffer.buffer().capacity()).isEqualTo(10_000);
      buffer.buffer().putLong(8, 42).put(9_999, (byte) 7);
      buffer.force(8, 16);
      buffer.force(9_999, 10_000);
      buffer.force(5, 5);
    }
    assertThat(Files.size(path)).isEqualTo(10_000);
    assertThat(Files.readAllBytes(path)[8]).isEqualTo((byte) 42);
    try (PersistentBuffer buffer = PersistentBuffer.map(path, 20_000)) {
      assertThat(buffer.buffer().getLong(8)).isEqualTo(42);
      assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 9_999)).isEqualTo((byte) 7);
      assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 19_999)).isZero();
    }
  }

  @Test
  void aFileWithHolesGetsItsSpaceAndKeepsItsBytes() throws Exception {
    Path path = directory.resolve("sparse");
    int size = (3 << 20) + 10_000;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
      file.seek(1 << 20);
      file.write(new byte[] {1, 2, 3});
    }
    try (PersistentBuffer buffer = PersistentBuffer.map(path, size)) {
      assertThat(allocated(path)).isGreaterThanOrEqualTo(size);
      assertThat(buffer.buffer().getInt(1 << 20)).isEqualTo(0x030201);
    }
    assertThat(Files.size(path)).isEqualTo(size);
  }

  private static long allocated(Path path) throws Exception {
    Process stat = new ProcessBuilder("stat", "-c", "%b", path.toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(Limit.waitFor(stat)).isZero();
    return 512 * Long.parseLong(blocks.strip());
  }

  @Test
  void aWindowIsAPartOfTheFile() throws Exception {
    Path path = directory.resolve("buffer");
    try (PersistentBuffer window = PersistentBuffer.map(path, 5_001, 10_000);
        PersistentBuffer whole = PersistentBuffer.map(path, 15_001)) {
      window.buffer().putLong(8, 42);
      window.buffer().put(9_999, (byte) 7);
      window.force(0, 10_000);
      assertThat(whole.buffer().getLong(5_009)).isEqualTo(42);
      whole.buffer().put(5_001, (byte) 9);
      assertThat(window.buffer().get(0)).isEqualTo((byte) 9);
    }
    assertThat(path).hasSize(15_001);
    byte[] bytes = Files.readAllBytes(path);
    assertThat(bytes[5_009]).isEqualTo((byte) 42);
    assertThat(bytes[15_000]).isEqualTo((byte) 7);
  }

  @Test
  void aWindowOfASparseFileGetsItsSpaceAndTheRestDoesNot() throws Exception {
    Path path = directory.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(64 << 20);
    }
    PersistentBuffer.map(path, 32 << 20, 1 << 20).close();
    assertThat(allocated(path)).isBetween(1L << 20, 2L << 20);
    assertThat(path).hasSize(64 << 20);
  }

  @Test
  void aHoleOfOneBlockInAWindowThatBeginsWithinABlockGetsItsSpace() throws Exception {
    Path path = directory.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write(new byte[] {1, 2, 3});
      file.seek(3000);
      file.write(1);
      file.seek(8192); // the second block is a hole
      file.write(new byte[] {1, 2, 3});
      file.setLength(12_288);
    }
    PersistentBuffer.map(path, 100, 12_000).close();
    assertThat(allocated(path)).isGreaterThanOrEqualTo(12_288);
  }

  @Test
  void aFileIsMappedForReading() throws Exception {
    Path path = directory.resolve("buffer");
    assertThatThrownBy(() -> PersistentBuffer.mapReadOnly(path, 0, 10))
        .isInstanceOf(MediumException.class)
        .hasMessageContaining(path.toString());
    assertThat(path).doesNotExist();
    try (PersistentBuffer buffer = PersistentBuffer.map(path, 10_000)) {
      buffer.buffer().putLong(5_001, 42);
      try (PersistentBuffer read = PersistentBuffer.mapReadOnly(path, 5_001, 4_999)) {
        assertThat(read.isPersistentMemory()).isFalse();
        assertThat(read.buffer().isReadOnly()).isTrue();
        assertThat(read.buffer().getLong(0)).isEqualTo(42);
        buffer.buffer().putLong(5_001, 43);
        assertThat(read.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(43);
        assertThatThrownBy(() -> read.segment().fill((byte) 1))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read.force(0, 1))
            .isInstanceOf(UnsupportedOperationException.class);
      }
    }
    assertThatThrownBy(() -> PersistentBuffer.mapReadOnly(path, 5_001, 5_000))
        .isInstanceOf(MediumException.class)
        .hasMessageContaining("the file has 10000 bytes");
    assertThat(path).hasSize(10_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PersistentBuffer.mapReadOnly(path, -1, 10));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PersistentBuffer.map(path, Long.MAX_VALUE, 10));
  }

  @Test
  void anInterruptDoesNoHarm() {
    Thread.currentThread().interrupt();
    try (PersistentBuffer buffer = PersistentBuffer.map(directory.resolve("buffer"), 4096)) {
      buffer.buffer().put(0, (byte) 1);
      buffer.force(0, 4096);
    }
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void senselessUseIsRefused() {
    Path path = directory.resolve("buffer");
    assertThatIllegalArgumentException().isThrownBy(() -> PersistentBuffer.map(path, 0));
    assertThatThrownBy(() -> PersistentBuffer.map(directory.resolve("no/such/file"), 10))
        .isInstanceOf(MediumException.class);
    PersistentBuffer buffer = PersistentBuffer.map(path, 10);
    assertThatThrownBy(() -> buffer.force(5, 11)).isInstanceOf(IndexOutOfBoundsException.class);
    buffer.close();
    buffer.close();
    assertThatIllegalStateException().isThrownBy(() -> buffer.segment().fill((byte) 1));
  }
}
