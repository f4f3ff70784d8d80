package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.journal.JournalSalvage.Lost;
import io.everheap.log.SegmentLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What salvage keeps of records besides their bytes, and what it leaves alone. */
class JournalSalvageTest {
  private static final long NOON = 1_000_000_000_000L;

  /** Where the n-th record of 5000 bytes starts, or at most 8 bytes before for each before it. */
  private static final int STRIDE = 5024;

  @TempDir private Path temporary;
  private Path damaged;
  private Path saved;

  @BeforeEach
  void directories() {
    damaged = temporary.resolve("damaged");
    saved = temporary.resolve("saved");
  }

  private JournalBuilder builder() {
    return Journal.builder(damaged).segmentSize(64 << 10);
  }

  private static byte[] record(int number) {
    byte[] bytes = new byte[5000];
    bytes[0] = (byte) number;
    return bytes;
  }

  private static List<byte[]> records(int from, int to) {
    return IntStream.range(from, to).mapToObj(JournalSalvageTest::record).toList();
  }

  private JournalSalvage salvage() {
    return JournalSalvage.copy(damaged, saved, (done, all) -> {});
  }

  /** The first bytes of all records that were saved. */
  private List<Integer> saved() {
    List<Integer> numbers = new ArrayList<>();
    try (Journal journal = Journal.builder(saved).readOnly().open();
        JournalReader reader = journal.reader()) {
      while (reader.next()) {
        numbers.add((int) reader.bytes()[0]);
      }
    }
    return numbers;
  }

  private void flip(int record) throws IOException {
    Path first;
    try (Stream<Path> files = Files.list(damaged)) {
      first =
          files
              .filter(f -> SegmentLayout.isSegment(f.getFileName().toString()))
              .sorted()
              .findFirst()
              .orElseThrow();
    }
    try (RandomAccessFile access = new RandomAccessFile(first.toFile(), "rw")) {
      long at = SegmentLayout.START + (long) record * STRIDE + 2000;
      access.seek(at);
      int old = access.read();
      access.seek(at);
      access.write(old ^ 1);
    }
  }

  @Test
  void records_keep_their_times() {
    try (Journal journal =
        builder().timestamps().clock((sequence, last) -> NOON + 1000 * sequence).open()) {
      for (int i = 0; i < 40; i++) {
        journal.append(record(i));
      }
      journal.appendAll(records(40, 43));
    }
    assertThat(salvage().records()).isEqualTo(43);
    try (Journal journal = Journal.builder(saved).readOnly().open();
        JournalReader reader = journal.reader()) {
      for (int i = 0; i < 43; i++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.time()).contains(Instant.ofEpochMilli(NOON + 1000L * i));
      }
      assertThat(journal.firstSince(Instant.ofEpochMilli(NOON + 30_500))).hasValue(31);
    }
  }

  @Test
  void records_without_a_time_get_none() {
    try (Journal journal = builder().open()) {
      journal.append(record(0));
    }
    try (Journal journal = builder().timestamps().clock((s, last) -> NOON).open()) {
      journal.append(record(1));
    }
    try (Journal journal = builder().open()) {
      journal.append(record(2));
    }
    assertThat(salvage().records()).isEqualTo(3);
    List<Optional<Instant>> times = new ArrayList<>();
    try (Journal journal = Journal.builder(saved).readOnly().open();
        JournalReader reader = journal.reader()) {
      reader.forEach((s, data) -> times.add(reader.time()));
    }
    assertThat(times)
        .containsExactly(
            Optional.empty(), Optional.of(Instant.ofEpochMilli(NOON)), Optional.empty());
  }

  @Test
  void an_unfinished_batch_at_the_end_is_reported_and_not_saved() throws Exception {
    Journal journal = builder().async(Duration.ofHours(1)).open();
    journal.append(record(0));
    journal.appendAll(records(1, 5));
    Path copy = copy(); // as a killed process left it
    journal.close();
    damaged = copy;
    flip(4); // the last of the batch
    JournalSalvage salvage = salvage();
    assertThat(salvage.records()).isEqualTo(1);
    assertThat(salvage.lost()).isEmpty();
    assertThat(salvage.broken()).isEmpty();
    assertThat(salvage.unfinished()).containsExactly(new Lost(1, 4));
    assertThat(saved()).containsExactly(0);
  }

  /** Copies a journal that is open, without the file that becomes its next segment any time. */
  private Path copy() throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("copy"));
    try (Stream<Path> files = Files.list(damaged)) {
      for (Path file : files.filter(f -> !f.endsWith(JournalLayout.TEMPORARY)).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  @Test
  void what_is_left_of_a_batch_that_was_whole_is_saved_and_named() throws Exception {
    try (Journal journal = builder().open()) {
      journal.append(record(0));
      journal.appendAll(records(1, 5));
      journal.appendAll(records(5, 8));
    }
    flip(2);
    flip(7);
    JournalSalvage salvage = salvage();
    assertThat(salvage.records()).isEqualTo(6);
    assertThat(salvage.lost()).containsExactly(new Lost(2, 3));
    assertThat(salvage.broken()).containsExactly(new Lost(1, 2), new Lost(3, 5), new Lost(5, 7));
    assertThat(salvage.unfinished()).isEmpty();
    assertThat(saved()).containsExactly(0, 1, 3, 4, 5, 6);
  }

  @Test
  void a_batch_that_was_cut_or_released_on_purpose_is_whole() {
    try (Journal journal = builder().open()) {
      journal.appendAll(records(0, 5));
      journal.appendAll(records(5, 9));
      journal.truncateAfter(6);
      journal.truncateBefore(2);
    }
    JournalSalvage salvage = salvage();
    assertThat(salvage).isEqualTo(new JournalSalvage(5, 2, List.of(), List.of(), List.of()));
    assertThat(saved()).containsExactly(2, 3, 4, 5, 6);
    damaged = saved;
    try (Journal journal = builder().open()) {
      journal.appendAll(records(7, 9));
    }
    saved = temporary.resolve("again");
    assertThat(salvage().broken()).isEmpty();
    assertThat(saved()).containsExactly(2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void a_batch_is_still_one_in_the_new_journal() throws Exception {
    try (Journal journal = builder().open()) {
      journal.append(record(0));
      journal.appendAll(records(1, 5));
    }
    assertThat(salvage().broken()).isEmpty();
    damaged = saved;
    saved = temporary.resolve("again");
    Files.delete(damaged.resolve("journal")); // which says how far it reaches
    flip(4);
    assertThat(salvage().unfinished()).containsExactly(new Lost(1, 4));
  }

  @Test
  void a_target_with_a_journal_is_left_as_it_is() throws Exception {
    try (Journal journal = builder().open()) {
      journal.append(record(0));
    }
    try (Journal open = Journal.open(saved)) {
      assertThatIllegalArgumentException()
          .isThrownBy(this::salvage)
          .withMessageContaining("already");
      open.append(record(1));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JournalSalvage.copy(damaged, damaged, (done, all) -> {}));
    Path other = Files.createDirectory(temporary.resolve("other"));
    Files.write(other.resolve("journal"), Collections.nCopies(3, "mine"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JournalSalvage.copy(damaged, other, (done, all) -> {}));
    assertThat(other.toFile().list()).containsExactly("journal");
  }
}
