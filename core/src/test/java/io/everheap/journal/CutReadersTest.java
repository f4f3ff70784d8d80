package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.GoneException;
import io.everheap.support.Limit;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers at the end of a journal, while others cut it and append. Each record has its sequence and
 * the number of cuts before it, so a test sees which of two records with one sequence it gets.
 */
class CutReadersTest {
  private static final int SEGMENT = 64 << 10;

  @TempDir private Path temporary;

  private int cuts;
  private int length = 16;

  private Path directory() {
    return temporary.resolve("j");
  }

  private Journal open() {
    return Journal.builder(directory()).segmentSize(SEGMENT).open();
  }

  /** Opens the journal as another process does that only reads. */
  private Journal watch() {
    return Journal.builder(directory()).readOnly().open();
  }

  private Journal reading(Journal journal, boolean watched) {
    return watched ? watch() : journal;
  }

  private byte[] record(long sequence) {
    return ByteBuffer.allocate(length).putLong(sequence).putInt(cuts).array();
  }

  private void appendTo(Journal journal, long end) {
    while (journal.nextSequence() < end) {
      journal.append(record(journal.nextSequence()));
    }
  }

  private void cutAfter(Journal journal, long sequence) {
    journal.truncateAfter(sequence);
    cuts++;
  }

  private void read(JournalReader reader, long end) throws InterruptedException {
    while (reader.nextSequence() < end) {
      assertThat(reader.next(Limit.limit())).isTrue();
      assertThat(reader.bytes()).isEqualTo(record(reader.sequence()));
    }
  }

  /** Another process knows of a cut when it meets the records after it: makes it read them. */
  private static void awaitCut(Journal seen, boolean watched, long end) {
    if (watched) {
      Limit.until("the cut", () -> seen.nextSequence() == end);
    }
  }

  private static void requireGone(JournalReader reader) {
    long at = reader.nextSequence();
    // A process that only reads looks at the files again after a while.
    assertThatThrownBy(() -> Limit.until("the cut", reader::next))
        .isInstanceOf(GoneException.class)
        .hasMessageContaining("(EH-RECORD-GONE)")
        .hasMessageContaining("cut off");
    assertThatThrownBy(reader::next)
        .isInstanceOf(GoneException.class)
        .hasMessageContaining("(EH-RECORD-GONE)");
    assertThat(reader.nextSequence()).isEqualTo(at);
  }

  /** By none, by some, or so many that its next record has another content. */
  @ParameterizedTest
  @CsvSource({"false, 105", "false, 110", "false, 120", "true, 105", "true, 110", "true, 120"})
  void aReaderWhoseRecordsWereReplacedGetsNoLaterOnes(boolean watched, long end) throws Exception {
    try (Journal journal = open();
        Journal seen = reading(journal, watched);
        JournalReader reader = seen.reader()) {
      appendTo(journal, 110);
      read(reader, 110);
      cutAfter(journal, 99);
      appendTo(journal, end);
      awaitCut(seen, watched, end);
      requireGone(reader);
      reader.seek(100);
      read(reader, end);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReaderAtTheCutAndOneBeforeItContinueWithTheNewRecords(boolean watched) throws Exception {
    try (Journal journal = open();
        Journal seen = reading(journal, watched);
        JournalReader at = seen.reader();
        JournalReader before = seen.reader()) {
      appendTo(journal, 110);
      read(at, 100);
      read(before, 99);
      cutAfter(journal, 99);
      appendTo(journal, 130);
      awaitCut(seen, watched, 130);
      read(at, 130);
      cuts = 0;
      read(before, 100);
      cuts = 1;
      read(before, 130);
    }
  }

  @Test
  void aSecondCutIsNoticedAfterTheFirst() throws Exception {
    try (Journal journal = open();
        JournalReader reader = journal.reader()) {
      appendTo(journal, 10);
      read(reader, 5);
      cutAfter(journal, 4);
      appendTo(journal, 20);
      read(reader, 15);
      cutAfter(journal, 13);
      appendTo(journal, 30);
      requireGone(reader);
    }
  }

  /** The new records before the reader's next one were released, and it begins a segment. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCutIsNoticedAlsoWhenItsFirstRecordsWereReleased(boolean watched) throws Exception {
    length = SEGMENT / 3; // two records in a segment
    try (Journal journal = open();
        Journal seen = reading(journal, watched);
        JournalReader reader = seen.reader()) {
      appendTo(journal, 6);
      read(reader, 6);
      cutAfter(journal, 3);
      appendTo(journal, 8);
      journal.truncateBefore(6);
      if (watched) {
        Limit.until("the release", () -> seen.nextSequence() == 8 && seen.firstSequence() == 6);
      }
      requireGone(reader);
    }
  }

  /** Each opening begins an epoch as a cut does, but keeps all records. */
  @ParameterizedTest
  @ValueSource(ints = {16, SEGMENT / 3})
  void aReaderInAnotherProcessReadsOnAcrossOpenings(int recordLength) throws Exception {
    length = recordLength;
    open().close();
    try (Journal seen = watch();
        JournalReader reader = seen.reader()) {
      long end = 0;
      for (int records : List.of(3, 0, 0, 2, 1, 0, 4)) {
        try (Journal journal = open()) {
          end += records;
          appendTo(journal, end);
        }
        read(reader, end);
      }
      assertThat(reader.next()).isFalse();
    }
  }

  /** A number without a record that was read: whatever has that number is right. */
  @Test
  void aReaderThatHasReadNothingGetsTheRecordWithItsNumber() throws Exception {
    try (Journal journal = open();
        JournalReader fresh = journal.reader(15);
        JournalReader moved = journal.reader()) {
      appendTo(journal, 20);
      read(moved, 20);
      moved.seek(16);
      cutAfter(journal, 9);
      appendTo(journal, 30);
      read(fresh, 30);
      read(moved, 30);
    }
  }

  /** Appends that nobody waits for are not readable at once, but their numbers are given. */
  @Test
  void aReaderMayBeginWithTheNextRecordWhileOthersAreBeingMadeDurable() throws Exception {
    List<CompletableFuture<Long>> appends = new ArrayList<>();
    try (Journal journal = open()) {
      for (int i = 0; i < 2000; i++) {
        appends.add(journal.appendAsync(record(i)));
        try (JournalReader reader = journal.reader(journal.nextSequence())) {
          assertThat(reader.next(Duration.ZERO)).isFalse();
        }
      }
      try (JournalReader reader = journal.reader(journal.nextSequence() + 1)) {
        assertThatThrownBy(reader::next)
            .isInstanceOf(GoneException.class)
            .hasMessageContaining("(EH-RECORD-GONE)");
      }
      try (JournalReader reader = journal.reader(journal.nextSequence())) {
        appends.add(journal.appendAsync(record(2000)));
        assertThat(reader.next(Limit.limit())).isTrue();
        assertThat(reader.bytes()).isEqualTo(record(2000));
      }
      for (CompletableFuture<Long> append : appends) {
        Limit.get(append);
      }
    }
  }
}
