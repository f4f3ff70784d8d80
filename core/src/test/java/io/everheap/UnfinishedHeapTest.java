package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crash while a heap was being made: it holds nothing yet, so it is made anew. */
class UnfinishedHeapTest {
  @TempDir Path temp;
  private Path heap;

  @BeforeEach
  void makeADirectory() throws Exception {
    heap = Files.createDirectory(temp.resolve("heap"));
  }

  private void assertItIsMadeAnew() {
    TestHeaps.create(heap, 10);
    assertThat(heap.resolve("heap.new")).doesNotExist();
    assertThat(heap.resolve("ring.new")).doesNotExist();
    assertThat(heap.resolve("log/new")).doesNotExist();
    TestHeaps.assertHolds(heap, 10);
  }

  @Test
  void anEmptyHomeFile() throws Exception {
    Files.createFile(heap.resolve("heap.new"));
    assertItIsMadeAnew();
  }

  @Test
  void halfAHomeFile() throws Exception {
    Files.write(heap.resolve("heap.new"), new byte[300_000]);
    assertItIsMadeAnew();
  }

  @Test
  void halfALogDirectory() throws Exception {
    Files.write(heap.resolve("heap.new"), new byte[1 << 20]);
    Files.createDirectory(heap.resolve("log"));
    assertItIsMadeAnew();
  }

  @Test
  void halfALogSegment() throws Exception {
    Files.write(heap.resolve("heap.new"), new byte[1 << 20]);
    Files.createDirectory(heap.resolve("log"));
    Files.write(heap.resolve("log/new"), new byte[5000]);
    assertItIsMadeAnew();
  }

  @Test
  void aLogSegmentThatIsShortOrOfNoUse() throws Exception {
    Files.write(heap.resolve("heap.new"), new byte[1 << 20]);
    Files.createDirectory(heap.resolve("log"));
    Files.write(heap.resolve("log/0000000000000000"), new byte[5000]);
    Files.write(heap.resolve("log/0000000000000007"), new byte[1 << 16]);
    assertItIsMadeAnew();
  }

  @Test
  void everythingButTheLastRename() throws Exception {
    Path other = temp.resolve("other");
    try (Heap made = TestHeaps.open(other)) {
      assertThat(made.names()).isEmpty();
    }
    Files.move(other.resolve("heap"), heap.resolve("heap.new"));
    Files.move(other.resolve("log"), heap.resolve("log"));
    assertItIsMadeAnew();
  }

  @Test
  void aHeapThatWasFinishedButForItsRing() throws Exception {
    TestHeaps.create(heap, 5);
    Files.delete(heap.resolve("ring"));
    Files.write(heap.resolve("ring.new"), new byte[5000]);
    try (Heap opened = TestHeaps.open(heap)) {
      TestHeaps.assertHolds(opened, 5);
      TestHeaps.put(opened, 5, 10);
    }
    TestHeaps.assertHolds(heap, 10);
  }
}
