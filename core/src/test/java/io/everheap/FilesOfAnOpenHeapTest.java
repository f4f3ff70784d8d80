package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.collection.DurableMap;
import io.everheap.error.EverheapException;
import io.everheap.error.StoppedException;
import io.everheap.heap.HeapSettings;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What people do to the files of a heap that is open is noticed, and nothing is lost silently. */
@Campaign
class FilesOfAnOpenHeapTest {
  private static final int ENTRIES = 20;

  @TempDir Path temp;

  /** Does something to the files of an open heap. */
  interface Deed {
    void to(Path heap) throws IOException;
  }

  /** What is noticed, and what the error names. */
  @SuppressWarnings("ImmutableEnumChecker")
  enum Noticed {
    HEAP_DELETED("heap was deleted", heap -> Files.delete(heap.resolve("heap"))),
    HEAP_RENAMED(
        "heap was deleted or renamed",
        heap -> Files.move(heap.resolve("heap"), heap.resolve("heap.bak"))),
    HEAP_REPLACED("heap was replaced", heap -> replace(heap.resolve("heap"))),
    HEAP_CUT("heap was cut to 8192 bytes", heap -> TestHeaps.truncate(heap.resolve("heap"), 8192)),
    HEAP_EMPTIED("heap was cut to 0 bytes", heap -> TestHeaps.truncate(heap.resolve("heap"), 0)),
    HEAP_OVERWRITTEN(
        "heap was overwritten",
        heap -> overwrite(heap.resolve("heap"), heap.resolveSibling("older"))),
    CHECKSUMS_DELETED("heap.crc was deleted", heap -> Files.delete(heap.resolve("heap.crc"))),
    CHECKSUMS_REPLACED("heap.crc was replaced", heap -> replace(heap.resolve("heap.crc"))),
    CHECKSUMS_CUT("heap.crc was cut", heap -> TestHeaps.truncate(heap.resolve("heap.crc"), 8)),
    SEGMENT_DELETED("log/0", heap -> Files.delete(segments(heap).getFirst())),
    SEGMENT_REPLACED("was replaced", heap -> replace(segments(heap).getFirst())),
    SEGMENT_CUT("was cut to 512 bytes", heap -> TestHeaps.truncate(segments(heap).getLast(), 512)),
    LOG_DELETED("log/0", heap -> deleteTree(heap.resolve("log"))),
    RING_DELETED("ring was deleted", heap -> Files.delete(heap.resolve("ring"))),
    RING_REPLACED("ring was replaced", heap -> replace(heap.resolve("ring"))),
    RING_CUT("ring was cut to 4096 bytes", heap -> TestHeaps.truncate(heap.resolve("ring"), 4096)),
    REGION_DELETED("region-r was deleted", heap -> Files.delete(heap.resolve("region-r"))),
    EVERYTHING_DELETED("was deleted", heap -> deleteIn(heap)),
    DIRECTORY_DELETED(
        "was moved, deleted, replaced or unmounted", FilesOfAnOpenHeapTest::deleteTree),
    DIRECTORY_RENAMED(
        "was moved, deleted, replaced or unmounted",
        heap -> Files.move(heap, heap.resolveSibling("elsewhere"))),
    DIRECTORY_REPLACED(
        "was moved, deleted, replaced or unmounted",
        heap -> {
          Files.move(heap, heap.resolveSibling("elsewhere"));
          Files.createDirectory(heap);
        });

    final String said;
    final Deed deed;

    Noticed(String said, Deed deed) {
      this.said = said;
      this.deed = deed;
    }
  }

  @ParameterizedTest
  @EnumSource(Noticed.class)
  void aCheckpointNoticesIt(Noticed what) throws Exception {
    Path directory = prepare();
    try (Heap heap = TestHeaps.open(directory)) {
      heap.region("r", 4096);
      TestHeaps.put(heap, 0, ENTRIES);
      what.deed.to(directory);

      assertThatExceptionOfType(EverheapException.class)
          .isThrownBy(heap::checkpoint)
          .withMessageContaining(what.said);
      assertStopped(heap, what.said);
    }
    if (!what.name().startsWith("DIRECTORY") && !what.name().equals("HEAP_OVERWRITTEN")) {
      assertThat(directory.resolve("heap").toFile().exists())
          .as("nothing is made anew")
          .isEqualTo(
              !List.of("HEAP_DELETED", "HEAP_RENAMED", "EVERYTHING_DELETED").contains(what.name()));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Noticed.class,
      names = {"HEAP_DELETED", "HEAP_OVERWRITTEN", "HEAP_CUT", "LOG_DELETED", "DIRECTORY_RENAMED"})
  void withoutACheckpointItIsNoticedWithinAboutASecond(Noticed what) throws Exception {
    Path directory = prepare();
    try (Heap heap = HeapSettings.options(Heap.builder(directory), TestHeaps.automatic()).open()) {
      TestHeaps.put(heap, 0, ENTRIES);
      what.deed.to(directory);
      putUntilStopped(heap);
      assertStopped(heap, what.said);
    }
  }

  @Test
  void aRenamedFileThatIsPutBackLosesNothing() throws Exception {
    Path directory = prepare();
    int acknowledged;
    try (Heap heap = HeapSettings.options(Heap.builder(directory), TestHeaps.automatic()).open()) {
      Files.move(directory.resolve("heap"), directory.resolve("heap.bak"));
      acknowledged = putUntilStopped(heap);
    }
    Files.move(directory.resolve("heap.bak"), directory.resolve("heap"));
    assertHoldsAtLeast(directory, acknowledged);
  }

  @Test
  void aRenamedDirectoryOpensUnderItsNewNameAndLosesNothing() throws Exception {
    Path directory = prepare();
    Path elsewhere = temp.resolve("elsewhere");
    int acknowledged;
    try (Heap heap = HeapSettings.options(Heap.builder(directory), TestHeaps.automatic()).open()) {
      Files.move(directory, elsewhere);
      acknowledged = putUntilStopped(heap);
    }
    assertHoldsAtLeast(elsewhere, acknowledged);
  }

  @Test
  void aNewSegmentNoticesItToo() throws Exception {
    Path directory = prepare();
    try (Heap heap = TestHeaps.open(directory)) {
      Files.delete(directory.resolve("heap"));
      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(() -> TestHeaps.put(heap, 0, 1 << 20))
          .withMessageContaining("heap was deleted");
    }
  }

  @Test
  void aDirectoryThatIsReplacedByALinkToItselfGoesOn() throws Exception {
    Path directory = prepare();
    try (Heap heap = TestHeaps.open(directory)) {
      Files.move(directory, temp.resolve("elsewhere"));
      Files.createSymbolicLink(directory, temp.resolve("elsewhere"));
      TestHeaps.put(heap, 0, ENTRIES);
      heap.checkpoint();
    }
    TestHeaps.assertHolds(directory, ENTRIES);
  }

  @Test
  void readsOfACutFileStopTheHeapWithAnErrorThatNamesIt() throws Exception {
    Path directory = temp.resolve("h");
    try (Heap heap = TestHeaps.open(directory)) {
      heap.transact(() -> TestHeaps.put(heap, 0, 20_000));
    }
    try (Heap heap = TestHeaps.open(directory)) {
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      TestHeaps.truncate(directory.resolve("heap"), 8192);

      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  assertThat(map.get(i)).isEqualTo(TestHeaps.value(i));
                }
              })
          .withMessageContaining("heap was cut to 8192 bytes");
      assertStopped(heap, "heap was cut to 8192 bytes");
    }
  }

  /** The next one may be there as well: its outcome was unknown. */
  private static void assertHoldsAtLeast(Path directory, int acknowledged) {
    try (Heap heap = TestHeaps.open(directory)) {
      assertThat(TestHeaps.numbers(heap)).containsAllEntriesOf(TestHeaps.expected(acknowledged));
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  private Path prepare() throws IOException {
    Path directory = temp.resolve("h");
    TestHeaps.create(directory, 1);
    Files.copy(directory.resolve("heap"), temp.resolve("older"));
    return directory;
  }

  /** Returns how many were acknowledged. */
  private static int putUntilStopped(Heap heap) {
    int[] acknowledged = {0};
    Limit.until(
        "the heap is stopped",
        () -> {
          try {
            for (int i = 0; i < 100; i++) {
              TestHeaps.put(heap, acknowledged[0], acknowledged[0] + 1);
              acknowledged[0]++;
            }
            return false;
          } catch (StoppedException e) {
            return true;
          }
        });
    return acknowledged[0];
  }

  private static void assertStopped(Heap heap, String said) {
    assertThat(heap.isOpen()).isFalse();
    assertThatExceptionOfType(StoppedException.class)
        .isThrownBy(() -> TestHeaps.put(heap, 1000, 1001))
        .withMessageContaining(said);
    assertThatExceptionOfType(StoppedException.class)
        .isThrownBy(() -> TestHeaps.numbers(heap).get(0))
        .withMessageContaining(said);
  }

  private static List<Path> segments(Path heap) throws IOException {
    try (Stream<Path> files = Files.list(heap.resolve("log"))) {
      return files.sorted().toList();
    }
  }

  private static void replace(Path file) throws IOException {
    Path copy = file.resolveSibling("a-copy");
    Files.copy(file, copy);
    Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** As {@code cp} does. */
  private static void overwrite(Path file, Path with) throws IOException {
    long size = Files.size(file);
    Files.write(file, Files.readAllBytes(with));
    try (var grown = new java.io.RandomAccessFile(file.toFile(), "rw")) {
      grown.setLength(size);
    }
  }

  /** As {@code rm -r} does, while the heap may make and rename files in it. */
  private static void deleteTree(Path directory) throws IOException {
    while (Files.exists(directory)) {
      deleteIn(directory);
      try {
        Files.deleteIfExists(directory);
      } catch (DirectoryNotEmptyException e) {
        // a file was made since: once more
      }
    }
  }

  private static void deleteIn(Path directory) throws IOException {
    File[] files = directory.toFile().listFiles();
    for (File file : files == null ? new File[0] : files) {
      if (file.isDirectory()) {
        deleteTree(file.toPath());
      } else {
        Files.deleteIfExists(file.toPath());
      }
    }
  }
}
