package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.engine.log.BatchLayout;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.log.SegmentLayout;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damage in the middle of the log is told from a torn tail: the one is refused, the other ends it.
 */
@Campaign
class DamagedLogTest {
  private static final int ENTRIES = 40;

  @TempDir Path temp;

  /** A batch of the log: here one commit each. */
  record Batch(Path file, int offset, long lsn) {}

  /** The batches of all segments in the order of the log. */
  private static List<Batch> batches(Path heap) throws IOException {
    List<Batch> all = new ArrayList<>();
    try (Stream<Path> segments = Files.list(heap.resolve("log"))) {
      for (Path file : (Iterable<Path>) segments::iterator) {
        ByteBuffer b = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = SegmentLayout.START; at < b.limit(); at += SegmentLayout.BLOCK) {
          if (b.getInt(at + 4) == BatchLayout.MAGIC) {
            all.add(new Batch(file, at, b.getLong(at + 24)));
          }
        }
      }
    }
    all.sort(Comparator.comparingLong(Batch::lsn));
    return all;
  }

  /** Ways to lose a batch. */
  enum Damage {
    HEADER_FLIPPED,
    RECORD_FLIPPED,
    ZEROED;

    void apply(Batch batch) {
      switch (this) {
        case HEADER_FLIPPED -> TestHeaps.flip(batch.file, batch.offset + 25, 1);
        case RECORD_FLIPPED ->
            TestHeaps.flip(batch.file, batch.offset + BatchLayout.HEADER_SIZE + 20, 32);
        case ZEROED ->
            TestHeaps.write(batch.file, batch.offset, ByteBuffer.allocate(SegmentLayout.BLOCK));
      }
    }
  }

  private void assertRefused(Path heap, Batch damaged) {
    Map<String, String> before = TestHeaps.data(heap);
    String name = "log/" + damaged.file.getFileName();
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.open(heap))
        .withMessageContaining("(EH-CORRUPT-LOG)")
        .returns("EH-CORRUPT-LOG", EverheapException::code)
        .withMessageContainingAll(heap.toString(), name, "backup", "salvage")
        .satisfies(
            e -> {
              assertThat(e.path().orElseThrow()).endsWith(name);
              assertThat(e.offset().orElseThrow())
                  .isBetween(
                      (long) damaged.offset, damaged.offset + (long) SegmentLayout.BLOCK - 1);
              assertThat(e).hasMessageContaining("at byte " + e.offset().orElseThrow());
            });
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.openReadOnly(heap))
        .withMessageContaining("(EH-CORRUPT-LOG)");
    assertThat(TestHeaps.data(heap)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void aDamagedBatchThatWasAcknowledgedIsRefusedWithFileAndOffset(Damage damage) throws Exception {
    Path heap = TestHeaps.killed(temp.resolve("h"), ENTRIES);
    List<Batch> batches = batches(heap);
    Batch middle = batches.get(batches.size() / 2);
    byte[] whole = Files.readAllBytes(middle.file);
    damage.apply(middle);

    assertRefused(heap, middle);

    Files.write(middle.file, whole);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void soIsOneThatOnlyThePowerLossLeft(Damage damage) throws Exception {
    Path heap = TestHeaps.powerless(temp.resolve("h"), ENTRIES);
    List<Batch> batches = batches(heap);
    Batch last = batches.getLast();
    Batch earlier = batches.get(batches.size() - 2);
    assertThat(last.file).as("both in one segment").isEqualTo(earlier.file);
    byte[] whole = Files.readAllBytes(earlier.file);
    damage.apply(earlier);

    assertRefused(heap, earlier);

    Files.write(earlier.file, whole);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @Test
  void aSegmentThatIsGoneIsRefused() throws Exception {
    Path heap = TestHeaps.powerless(temp.resolve("h"), ENTRIES);
    List<Batch> batches = batches(heap);
    Path first = batches.getFirst().file;
    assertThat(batches.getLast().file).isNotEqualTo(first);
    byte[] whole = Files.readAllBytes(first);
    Files.delete(first);

    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.open(heap))
        .withMessageContaining("(EH-CORRUPT-LOG)")
        .returns("EH-CORRUPT-LOG", EverheapException::code)
        .withMessageContainingAll(heap.toString(), "log", "LSN");

    Files.write(first, whole);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void aTornTailEndsTheLogAndTheCommitsBeforeItAreThere(Damage damage) throws Exception {
    Path heap = TestHeaps.powerless(temp.resolve("h"), ENTRIES);
    damage.apply(batches(heap).getLast());

    TestHeaps.assertHolds(heap, ENTRIES - 1);
    try (Heap opened = TestHeaps.open(heap)) {
      TestHeaps.put(opened, ENTRIES - 1, ENTRIES + 10);
    }
    TestHeaps.assertHolds(heap, ENTRIES + 10);
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 1024, 1536})
  void aCommitWhoseLastSectorsWereNotWrittenIsNotThere(int written) throws Exception {
    Path running = temp.resolve("running");
    Path heap = temp.resolve("h");
    try (Heap opened = TestHeaps.open(running)) {
      TestHeaps.put(opened, 0, ENTRIES);
      TestHeaps.numbers(opened).put(-1, "x".repeat(3000));
      io.everheap.engine.HeapCopy.powerless(running, heap);
    }
    Batch last = batches(heap).getLast();
    ByteBuffer zeros = ByteBuffer.allocate(SegmentLayout.BLOCK - written);
    TestHeaps.write(last.file, last.offset + written, zeros);

    try (Heap opened = TestHeaps.open(heap)) {
      TestHeaps.assertHolds(opened, ENTRIES);
      assertThat(opened.stats().recovery().tornBytes()).isPositive();
      assertThat(opened.stats().recovery().clean()).isFalse();
    }
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @Test
  void theRingOfAKilledProcessMakesUpForATornTail() throws Exception {
    Path heap = TestHeaps.killed(temp.resolve("h"), ENTRIES);
    Damage.ZEROED.apply(batches(heap).getLast());
    TestHeaps.assertHolds(heap, ENTRIES);
  }
}
