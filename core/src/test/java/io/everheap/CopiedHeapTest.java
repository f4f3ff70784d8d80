package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of an open heap is made of files of different moments. */
class CopiedHeapTest {
  private static final int HALF = 16384;

  @TempDir Path temp;
  private Path heap;
  private Path copy;

  /** Copies the log, half of the home image, lets a checkpoint go by, and copies the rest. */
  private void copyWhileACheckpointWritesPages() throws Exception {
    heap = temp.resolve("h");
    copy = Files.createDirectories(temp.resolve("copy/log")).getParent();
    TestHeaps.create(heap, 10);
    try (Heap open = TestHeaps.open(heap)) {
      TestHeaps.put(open, 10, 20);
      copyTree("log");
      copyRange("heap", 0, HALF);
      copyRange("ring", 0, Files.size(heap.resolve("ring")));
      TestHeaps.put(open, 20, 2000);
      open.checkpoint();
      copyRange("heap", HALF, Files.size(heap.resolve("heap")));
    }
  }

  @Test
  void aHomeImageThatIsNewerThanTheLogIsRefused() throws Exception {
    copyWhileACheckpointWritesPages();
    copyRange("heap.crc", 0, Files.size(heap.resolve("heap.crc")));
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.open(copy))
        .withMessageContainingAll("a copy that was made while the heap was open", "LSN");
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.openReadOnly(copy));
  }

  @Test
  void aCopyOfAClosedHeapIsAsGood() throws Exception {
    heap = temp.resolve("h");
    copy = Files.createDirectories(temp.resolve("copy/log")).getParent();
    TestHeaps.create(heap, 50);
    copyTree("log");
    for (String name : new String[] {"heap", "heap.crc", "ring", "lock"}) {
      copyRange(name, 0, Files.size(heap.resolve(name)));
    }
    TestHeaps.assertHolds(copy, 50);
  }

  @Test
  void aHomeImageThatIsOlderThanTheLogIsRefusedOrWhole() throws Exception {
    heap = temp.resolve("h");
    copy = Files.createDirectories(temp.resolve("copy/log")).getParent();
    TestHeaps.create(heap, 10);
    try (Heap open = TestHeaps.open(heap)) {
      copyRange("heap", 0, Files.size(heap.resolve("heap")));
      copyRange("heap.crc", 0, Files.size(heap.resolve("heap.crc")));
      TestHeaps.put(open, 10, 2000);
      open.checkpoint();
      TestHeaps.put(open, 2000, 2010);
      copyTree("log");
      copyRange("ring", 0, Files.size(heap.resolve("ring")));
    }
    try (Heap opened = TestHeaps.open(copy)) {
      TestHeaps.assertHolds(opened, 2010);
    } catch (EverheapException e) {
      assertThat(e).hasMessageContaining("log");
    }
  }

  private void copyTree(String name) throws IOException {
    try (Stream<Path> files = Files.list(heap.resolve(name))) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(name).resolve(file.getFileName()));
      }
    }
  }

  private void copyRange(String name, long from, long to) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(heap.resolve(name).toFile(), "r");
        RandomAccessFile out = new RandomAccessFile(copy.resolve(name).toFile(), "rw")) {
      byte[] bytes = new byte[(int) (to - from)];
      in.seek(from);
      in.readFully(bytes);
      out.seek(from);
      out.write(bytes);
    }
  }
}
