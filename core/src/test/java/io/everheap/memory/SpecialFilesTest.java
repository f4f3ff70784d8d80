package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.journal.Journal;
import io.everheap.support.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A named pipe in place of a file makes no opening wait: it is refused, or made anew. */
class SpecialFilesTest {
  @TempDir private Path directory;

  /** What is opened. */
  enum Kind {
    HEAP {
      @Override
      void open(Path at) {
        Heap heap = Heap.open(at);
        heap.map("m", String.class, String.class).put("a", "b");
        heap.close();
      }
    },
    READ_ONLY_HEAP {
      @Override
      void open(Path at) {
        boolean exists = Files.exists(at);
        HeapBuilder builder = Heap.builder(at);
        (exists ? builder.readOnly() : builder).open().close();
      }
    },
    ENCRYPTED_HEAP {
      @Override
      void open(Path at) {
        Heap.builder(at).encrypt(KeyProvider.of(new byte[32])).open().close();
      }
    },
    JOURNAL {
      @Override
      void open(Path at) {
        try (Journal journal = Journal.builder(at).segmentSize(64 << 10).open()) {
          journal.append(new byte[100]);
        }
      }
    };

    abstract void open(Path at);
  }

  private static List<Path> files(Path of) throws IOException {
    try (Stream<Path> files = Files.walk(of)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      files.forEach(
          file -> {
            try {
              Files.copy(file, to.resolve(from.relativize(file).toString()));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void aNamedPipeMakesNoOpeningWait(Kind kind) throws Exception {
    Path whole = directory.resolve("whole");
    kind.open(whole);
    List<Path> files = files(whole);
    int refused = 0;
    for (Path file : files) {
      Path name = whole.relativize(file);
      Path copy = directory.resolve("copy-" + name.toString().replace('/', '-'));
      copy(whole, copy);
      Path pipe = copy.resolve(name.toString());
      Files.delete(pipe);
      Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
      assertThat(Limit.waitFor(made)).isZero();
      FutureTask<Boolean> opening =
          new FutureTask<>(
              () -> {
                kind.open(copy);
                return true;
              });
      Thread.ofPlatform().daemon().start(opening);
      try {
        Limit.get(opening);
      } catch (ExecutionException e) {
        refused++;
        assertThat(e.getCause())
            .as(name.toString())
            .isInstanceOf(EverheapException.class)
            .hasMessageContaining(copy.toString());
      }
    }
    assertThat(refused).isGreaterThanOrEqualTo(files.size() / 2);
  }
}
