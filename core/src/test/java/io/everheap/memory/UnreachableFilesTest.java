package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.MediumException;
import io.everheap.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are links into a volume which is not mounted: they are not missing. */
class UnreachableFilesTest {
  @TempDir private Path temporary;
  private Path directory;
  private Path volume;
  private Path away;

  /** Moves all files to a volume, with links in their places. */
  private void link() throws IOException {
    Files.createDirectory(volume);
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.toList();
    }
    for (Path file : files) {
      Path target = volume.resolve(file.getFileName().toString());
      Files.move(file, target);
      Files.createSymbolicLink(file, target);
    }
  }

  private void names() {
    directory = temporary.resolve("data");
    volume = temporary.resolve("volume");
    away = temporary.resolve("away");
  }

  @Test
  void aHeapOnAVolumeThatIsNotMountedIsNotMadeAgain() throws IOException {
    names();
    try (Heap heap = Heap.open(directory)) {
      heap.map("m", String.class, String.class).put("key", "value");
    }
    link();
    Files.delete(directory.resolve("lock")); // a file that is made again
    Files.move(volume, away);
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            () -> Heap.open(directory),
            () -> Heap.exists(directory),
            () -> Heap.delete(directory))) {
      assertThatThrownBy(use)
          .isInstanceOf(MediumException.class)
          .hasMessageContaining("it is a link to a file that cannot be reached");
    }
    Files.move(away, volume);
    try (Heap heap = Heap.open(directory)) {
      assertThat(heap.map("m", String.class, String.class)).containsEntry("key", "value");
    }
  }

  @Test
  void aJournalOnAVolumeThatIsNotMountedIsNotMadeAgain() throws IOException {
    names();
    try (Journal journal = Journal.builder(directory).segmentSize(64 << 10).open()) {
      journal.append(new byte[10]);
    }
    link();
    Files.delete(directory.resolve("lock"));
    Files.move(volume, away);
    assertThatThrownBy(() -> Journal.builder(directory).segmentSize(64 << 10).open())
        .isInstanceOf(MediumException.class)
        .hasMessageContaining("it is a link to a file that cannot be reached");
    Files.move(away, volume);
    try (Journal journal = Journal.builder(directory).segmentSize(64 << 10).open()) {
      assertThat(journal.nextSequence()).isEqualTo(1);
    }
  }
}
