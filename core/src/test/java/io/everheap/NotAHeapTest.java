package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.error.MissingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not a heap is refused, and stays as it was but for an empty lock file. */
class NotAHeapTest {
  @TempDir Path temp;

  @Test
  void aDirectoryWithOtherFilesIsLeftAlone() throws Exception {
    Files.writeString(temp.resolve("letter.txt"), "Dear Sir");
    Files.createDirectory(temp.resolve("pictures"));
    Map<String, String> before = TestHeaps.data(temp);

    assertThatExceptionOfType(ForeignException.class)
        .isThrownBy(() -> TestHeaps.open(temp))
        .returns("EH-FOREIGN", EverheapException::code)
        .withMessageContainingAll(temp.toString(), "letter.txt", "empty or a new directory");

    assertThat(TestHeaps.data(temp)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 100, 8192, 100_000})
  void aFileNamedHeapWithOtherContentsIsLeftAlone(int size) throws Exception {
    Files.writeString(temp.resolve("heap"), "x".repeat(size));
    Map<String, String> before = TestHeaps.data(temp);

    assertThatExceptionOfType(ForeignException.class)
        .isThrownBy(() -> TestHeaps.open(temp))
        .returns("EH-FOREIGN", EverheapException::code)
        .withMessageContainingAll(
            temp.resolve("heap").toString(), "not an Everheap heap", "no superblock");
    assertThatExceptionOfType(ForeignException.class)
        .isThrownBy(() -> TestHeaps.openReadOnly(temp));

    assertThat(TestHeaps.data(temp)).isEqualTo(before);
  }

  @Test
  void aDirectoryNamedHeapIsLeftAlone() throws Exception {
    Files.createDirectory(temp.resolve("heap"));

    assertThatExceptionOfType(EverheapException.class)
        .isThrownBy(() -> TestHeaps.open(temp))
        .withMessageContaining(temp.resolve("heap").toString());

    assertThat(temp.resolve("heap")).isEmptyDirectory();
  }

  @Test
  void aRegularFileIsNotADirectory() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "Dear Sir");

    assertThatExceptionOfType(MissingException.class)
        .isThrownBy(() -> TestHeaps.open(file))
        .returns("EH-MISSING", EverheapException::code)
        .withMessageContainingAll(file.toString(), "not a directory");
    assertThatExceptionOfType(EverheapException.class)
        .isThrownBy(() -> TestHeaps.open(file.resolve("below")))
        .withMessageContaining(file.toString());

    assertThat(file).hasContent("Dear Sir");
  }

  @Test
  void aHeapThatMustExistIsNotMade() throws Exception {
    Path missing = temp.resolve("missing");
    Path empty = Files.createDirectory(temp.resolve("empty"));

    for (HeapBuilder builder :
        new HeapBuilder[] {Heap.builder(missing).mustExist(), Heap.builder(missing).readOnly()}) {
      assertThatExceptionOfType(MissingException.class)
          .isThrownBy(builder::open)
          .returns("EH-MISSING", EverheapException::code)
          .withMessageContaining(missing.toString());
    }
    assertThat(missing).doesNotExist();
    for (HeapBuilder builder :
        new HeapBuilder[] {Heap.builder(empty).mustExist(), Heap.builder(empty).readOnly()}) {
      assertThatExceptionOfType(MissingException.class)
          .isThrownBy(builder::open)
          .returns("EH-MISSING", EverheapException::code)
          .withMessageContaining(empty.toString());
    }
    assertThat(TestHeaps.data(empty)).containsOnlyKeys("");
  }

  @Test
  void aHeapWhoseHomeFileIsGoneIsNotReplacedByAnEmptyOne() throws Exception {
    Path heap = TestHeaps.killed(temp.resolve("heap"), 20);
    Path home = heap.resolve("heap");
    byte[] saved = Files.readAllBytes(home);
    Files.delete(home);
    Map<String, String> before = TestHeaps.data(heap);

    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.open(heap))
        .returns("EH-CORRUPT", EverheapException::code)
        .withMessageContainingAll(home.toString(), "missing", "backup");
    assertThat(TestHeaps.data(heap)).isEqualTo(before);

    Files.write(home, saved);
    TestHeaps.assertHolds(heap, 20);
  }
}
