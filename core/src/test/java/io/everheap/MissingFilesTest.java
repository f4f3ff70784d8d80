package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.engine.HeapCopy;
import io.everheap.error.EverheapException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.log.SegmentLayout;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each file of a heap and of a journal that is missing when it is opened. */
@Campaign
class MissingFilesTest {
  private static final int ENTRIES = 300;

  @TempDir Path temp;

  private static void delete(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      try (Stream<Path> files = Files.list(file)) {
        for (Path each : files.toList()) {
          Files.delete(each);
        }
      }
    }
    Files.delete(file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "ring", "log"})
  void aClosedHeapDoesWithout(String missing) throws Exception {
    Path heap = temp.resolve("h");
    TestHeaps.create(heap, ENTRIES);
    delete(heap.resolve(missing));
    TestHeaps.assertHolds(heap, ENTRIES);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "owner"})
  void aKilledHeapDoesWithout(String missing) throws Exception {
    Path heap = TestHeaps.killed(temp.resolve("h"), ENTRIES);
    Files.deleteIfExists(heap.resolve(missing));
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  /** What was committed in SYNC mode is in the log; what was not synced is lost, as by power. */
  @Test
  void aKilledHeapWithoutTheRingHoldsWhatWasSynced() throws Exception {
    Path heap = TestHeaps.killed(temp.resolve("h"), ENTRIES);
    Files.delete(heap.resolve("ring"));
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @ParameterizedTest
  @CsvSource({
    "false, heap, is missing",
    "true, heap, is missing",
    "false, heap.crc, is missing",
    "true, heap.crc, is missing",
    "true, log, LSN"
  })
  void aHeapIsRefusedAndNotChanged(boolean killed, String missing, String said) throws Exception {
    Path heap = temp.resolve("h");
    if (killed) {
      heap = TestHeaps.killed(heap, ENTRIES);
    } else {
      TestHeaps.create(heap, ENTRIES);
    }
    delete(heap.resolve(missing));
    assertRefused(heap, said);
  }

  @Test
  void aHeapWithoutTheHomeFileAndTheRingIsRefusedForItsLog() throws Exception {
    Path heap = temp.resolve("h");
    TestHeaps.create(heap, ENTRIES);
    Files.delete(heap.resolve("heap"));
    Files.delete(heap.resolve("ring"));
    assertRefused(heap, "is missing");
  }

  /** As on byte-addressable storage, where there is no ring. What such a log holds is not known. */
  @Test
  void aLogOfAnotherFormatVersionIsRefusedWithoutItsHomeFile() throws Exception {
    Path heap = temp.resolve("h");
    TestHeaps.create(heap, ENTRIES);
    try (Stream<Path> segments = Files.list(heap.resolve("log"))) {
      for (Path segment : segments.toList()) {
        byte[] header = new byte[SegmentLayout.START];
        System.arraycopy(Files.readAllBytes(segment), 0, header, 0, 8);
        header[8] = 1;
        Files.write(segment, header);
      }
    }
    Files.delete(heap.resolve("heap"));
    Files.delete(heap.resolve("ring"));
    assertRefused(heap, "is missing, but the log beside it has format version 1");
  }

  @Test
  void withoutChecksumsAHeapOpensForReading() throws Exception {
    Path heap = temp.resolve("h");
    TestHeaps.create(heap, ENTRIES);
    Files.delete(heap.resolve("heap.crc"));
    try (Heap reader = TestHeaps.openReadOnly(heap)) {
      assertThat(TestHeaps.numbers(reader)).hasSize(ENTRIES);
    }
  }

  @Test
  void eachSegmentOfAKilledHeapThatIsMissingIsNamedOrNotNeeded() throws Exception {
    Path original = TestHeaps.killed(temp.resolve("h"), ENTRIES);
    List<Path> segments;
    try (Stream<Path> files = Files.list(original.resolve("log"))) {
      segments = files.sorted().toList();
    }
    int refused = 0;
    for (Path segment : segments) {
      Path heap = temp.resolve("without-" + segment.getFileName());
      HeapCopy.killed(original, heap);
      Files.delete(heap.resolve("log").resolve(segment.getFileName()));
      try (Heap opened = TestHeaps.open(heap)) {
        TestHeaps.assertHolds(opened, ENTRIES);
      } catch (EverheapException e) {
        assertThat(e).hasMessageContaining("log");
        refused++;
      }
    }
    assertThat(refused).isBetween(1, segments.size() - 1);
  }

  private static void assertRefused(Path heap, String said) {
    Map<String, String> before = TestHeaps.data(heap);
    assertThatExceptionOfType(EverheapException.class)
        .isThrownBy(() -> TestHeaps.open(heap))
        .withMessageContaining(said);
    Map<String, String> after = TestHeaps.data(heap);
    if (!before.containsKey(
        "heap.crc")) { // the home file is mapped then, and got a hole at its end
      before.remove("heap");
      after.remove("heap");
    }
    assertThat(after).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "lock, ''",
    "journal, 'journal is damaged at byte 0: it is missing'",
    "first, is missing",
    "second, is missing",
    "last, ''"
  })
  void aJournalIsRefusedOrWhole(String missing, String said) throws Exception {
    Path directory = temp.resolve("j");
    JournalBuilder builder = Journal.builder(directory).segmentSize(64 << 10);
    byte[] record = new byte[40 << 10];
    try (Journal journal = builder.open()) {
      for (int i = 0; i < 4; i++) {
        journal.append(record);
      }
      Limit.until(
          "a thread has made the segment after the one of the last record",
          () -> segments(directory).size() >= 5);
    }
    List<Path> segments = segments(directory);
    Files.delete(
        switch (missing) {
          case "first" -> segments.getFirst();
          case "second" -> segments.get(1);
          case "last" -> segments.getLast(); // which is made ahead, and has no records
          default -> directory.resolve(missing);
        });
    if (said.isEmpty()) {
      try (Journal journal = builder.open()) {
        assertThat(journal.nextSequence()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
          assertThat(journal.read(i)).isEqualTo(record);
        }
      }
    } else {
      assertThatExceptionOfType(EverheapException.class)
          .isThrownBy(builder::open)
          .withMessageContaining(said);
    }
  }

  private static List<Path> segments(Path journal) {
    try (Stream<Path> files = Files.list(journal)) {
      return files.filter(file -> file.getFileName().toString().startsWith("0")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
