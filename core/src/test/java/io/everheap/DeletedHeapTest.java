package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link Heap#exists} and {@link Heap#delete}. */
class DeletedHeapTest {
  @TempDir Path temp;

  @Test
  void aHeapExistsUntilItIsDeleted() throws Exception {
    Path at = temp.resolve("h");
    assertThat(Heap.exists(at)).isFalse();
    try (Heap heap = Heap.builder(at).archive(temp.resolve("a")).open()) {
      heap.map("m", Long.class, Long.class).put(1L, 1L);
      heap.region("r", 4096);
      assertThat(Heap.exists(at)).isTrue();
    }
    assertThat(Heap.exists(at)).isTrue();

    Heap.delete(at);

    assertThat(Heap.exists(at)).isFalse();
    assertThat(at).doesNotExist();
    assertThat(temp.resolve("a")).isNotEmptyDirectory();
    assertThatExceptionOfType(MissingException.class).isThrownBy(() -> Heap.delete(at));
    assertThat(at).doesNotExist();
    try (Heap heap = Heap.open(at)) {
      assertThat(heap.names()).isEmpty();
    }
  }

  @Test
  void anEncryptedHeapIsDeletedWithoutItsKey() {
    Path at = temp.resolve("h");
    Heap.builder(at).encrypt(KeyProvider.of(new byte[32])).open().close();

    Heap.delete(at);

    assertThat(at).doesNotExist();
  }

  @Test
  void aDamagedHeapIsDeleted() throws Exception {
    Path at = temp.resolve("h");
    TestHeaps.create(at, 10);
    byte[] home = Files.readAllBytes(at.resolve("heap"));
    home[4096] = 0;
    home[100]++;
    Files.write(at.resolve("heap"), home);

    Heap.delete(at);

    assertThat(at).doesNotExist();
  }

  @Test
  void anOpenHeapIsNotDeleted() {
    Path at = temp.resolve("h");
    try (Heap heap = Heap.open(at)) {
      heap.map("m", Long.class, Long.class).put(1L, 1L);
      assertThatExceptionOfType(LockedException.class).isThrownBy(() -> Heap.delete(at));
      assertThat(heap.map("m", Long.class, Long.class)).containsEntry(1L, 1L);
    }
    try (Heap heap = Heap.builder(at).readOnly().open()) {
      assertThatExceptionOfType(LockedException.class).isThrownBy(() -> Heap.delete(at));
      assertThat(heap.names()).containsExactly("m");
    }
  }

  @Test
  void filesOfOthersStay() throws Exception {
    Path at = temp.resolve("h");
    TestHeaps.create(at, 10);
    Files.writeString(at.resolve("notes.txt"), "precious");
    Files.writeString(at.resolve("notes.converted"), "precious");
    Files.writeString(at.resolve("region- x"), "precious");
    Files.writeString(Files.createDirectories(at.resolve("log/old")).resolve("x"), "precious");
    TestHeaps.create(at.resolve("below"), 10);

    Heap.delete(at);

    try (Stream<Path> left = Files.walk(at)) {
      assertThat(left.filter(Files::isRegularFile).map(file -> at.relativize(file).toString()))
          .contains("notes.txt", "notes.converted", "region- x", "log/old/x", "below/heap")
          .allMatch(
              name ->
                  name.startsWith("below/")
                      || name.matches("notes.txt|notes.converted|region- x|log/old/x"));
    }
    TestHeaps.assertHolds(at.resolve("below"), 10);
  }

  /** A directory that holds no heap. */
  enum Other {
    EMPTY {
      @Override
      void make(Path at) throws IOException {
        Files.createDirectories(at);
      }
    },
    FILES {
      @Override
      void make(Path at) throws IOException {
        Files.writeString(Files.createDirectories(at).resolve("notes"), "precious");
      }
    },
    FOREIGN_FILE_OF_THAT_NAME {
      @Override
      void make(Path at) throws IOException {
        Files.writeString(Files.createDirectories(at).resolve("heap"), "x".repeat(10_000));
      }
    },
    DIRECTORY_OF_THAT_NAME {
      @Override
      void make(Path at) {
        TestHeaps.create(at.resolve("heap"), 10);
      }
    },
    JOURNAL {
      @Override
      void make(Path at) {
        Journal.open(at).close();
      }
    },
    LOST_HOME {
      @Override
      void make(Path at) throws IOException {
        TestHeaps.create(at, 10);
        Files.delete(at.resolve("heap"));
      }
    };

    abstract void make(Path at) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNoHeapStays(Other other) throws Exception {
    Path at = temp.resolve("h");
    other.make(at);
    List<String> before = files(at);

    assertThatExceptionOfType(EverheapException.class)
        .isThrownBy(() -> Heap.delete(at))
        .withMessageContaining(at.toString())
        .satisfies(
            e ->
                assertThat(e)
                    .isInstanceOf(
                        switch (other) {
                          case FOREIGN_FILE_OF_THAT_NAME -> ForeignException.class;
                          case LOST_HOME -> CorruptException.class;
                          default -> MissingException.class;
                        }));

    assertThat(files(at)).isEqualTo(before);
    assertThat(Heap.exists(at)).isEqualTo(other == Other.FOREIGN_FILE_OF_THAT_NAME);
  }

  private static List<String> files(Path at) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(at)) {
      for (Path file : all.sorted().toList()) {
        found.add(file + (Files.isRegularFile(file) ? " " + Files.size(file) : ""));
      }
    }
    return found;
  }

  @Test
  void theMediumIsKnownBeforeAnythingIsMade() throws Exception {
    Path missing = temp.resolve("a/b");
    assertThat(Heap.isOnPersistentMemory(missing)).isEqualTo(Heap.isOnPersistentMemory(temp));
    assertThat(temp).isEmptyDirectory();
    try (Heap heap = Heap.open(missing)) {
      assertThat(heap.stats().medium().equals("dax")).isEqualTo(Heap.isOnPersistentMemory(missing));
    }
  }

  @Test
  void aThreadKnowsWhetherItIsInATransaction() {
    try (Heap heap = Heap.inMemory()) {
      assertThat(heap.inTransaction()).isFalse();
      heap.transact(() -> assertThat(heap.inTransaction()).isTrue());
      heap.transact(
          () -> assertThat(CompletableFuture.supplyAsync(heap::inTransaction).join()).isFalse());
      assertThat(heap.inTransaction()).isFalse();
    }
  }
}
