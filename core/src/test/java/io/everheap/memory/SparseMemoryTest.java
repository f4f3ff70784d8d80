package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparseMemoryTest {
  private static final long SIZE = 8 << 20;
  private static final long WHERE = 5 << 20;

  @Test
  void aStoreIsSeenInItsOwnMemoryOnly() {
    try (SparseMemory memory = new SparseMemory();
        Region first = memory.create(SIZE);
        Region second = memory.create(2 * SIZE)) {
      memory.prepare(WHERE);
      first.putLong(WHERE, 42);
      try (Region third = memory.create(SIZE)) {
        assertThat(third.getLong(WHERE)).isZero();
      }
      assertThat(first.getLong(WHERE)).isEqualTo(42);
      assertThat(second.getLong(WHERE)).isZero();
      assertThat(second.getLong(SIZE + WHERE)).isZero();
    }
  }

  @Test
  void memoryOutlivesTheClosing() {
    SparseMemory memory = new SparseMemory();
    try (Region region = memory.create(SIZE)) {
      memory.close();
      memory.prepare(WHERE);
      region.putLong(WHERE, 42);
      assertThat(region.getLong(WHERE)).isEqualTo(42);
      assertThatIllegalStateException().isThrownBy(() -> memory.create(SIZE));
    }
  }

  @Test
  void anInterruptedThreadUsesIt() {
    try (SparseMemory memory = new SparseMemory()) {
      Thread.currentThread().interrupt();
      try (Region region = memory.create(SIZE)) {
        memory.prepare(WHERE);
        assertThat(region.getLong(WHERE)).isZero();
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
    }
  }

  /** A page of a file in memory that is mapped takes memory there too. */
  @Test
  void aFileSystemInMemoryIsAvoidedWhereThereIsAnother(@TempDir Path temp) throws IOException {
    Path inMemory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(inMemory), "there is no file system in memory");
    FileStore store = Files.getFileStore(inMemory);
    assumeTrue(store.type().equals("tmpfs"), "/dev/shm is not in memory");
    assumeFalse(Files.getFileStore(temp).type().equals("tmpfs"), "there is no other file system");
    try (SparseMemory memory = new SparseMemory(List.of(inMemory, temp));
        Region region = memory.create(SIZE)) {
      region.putLong(WHERE, 42);
      assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
          .anyMatch(line -> line.contains(temp + "/everheap"))
          .noneMatch(line -> line.contains(inMemory + "/everheap"));
    }
  }

  @Test
  void whereAllAreInMemoryAFailedStoreNamesTheSetting() {
    Path inMemory = Path.of("/dev/shm");
    try (SparseMemory memory = new SparseMemory(List.of(inMemory))) {
      assertThat(memory.full(new InternalError("unsafe memory access")))
          .hasMessageContaining("java.io.tmpdir")
          .hasMessageContaining("/dev/shm");
    }
  }

  @Test
  void littleMemoryNeedsNoFile() {
    try (SparseMemory memory = new SparseMemory();
        Region region = memory.create(4096)) {
      memory.prepare(0);
      assertThat(region.getLong(4088)).isZero();
    }
  }
}
