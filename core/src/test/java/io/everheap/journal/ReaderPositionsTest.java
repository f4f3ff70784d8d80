package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.GoneException;
import io.everheap.support.Limit;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers that stand at an end of the journal while it changes there. */
class ReaderPositionsTest {
  @TempDir Path directory;

  private Journal open() {
    return Journal.builder(directory).segmentSize(1 << 16).open();
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(new byte[5000]);
    }
  }

  /** A reader that was made before the first record reads it. */
  @Test
  void aReaderAtTheEndOfAnEmptyJournalReadsWhatComes() {
    try (Journal journal = open();
        JournalReader reader = journal.reader(journal.nextSequence())) {
      assertThat(reader.next()).isFalse();
      append(journal, 40);
      int read = 0;
      while (reader.next()) {
        read++;
      }
      assertThat(read).isEqualTo(40);
    }
  }

  /** A reader goes on through segments that other openings of the journal began. */
  @Test
  void aReaderOfAnotherInstanceFollowsOverOpenings() throws Exception {
    open().close();
    try (Journal watching = Journal.builder(directory).readOnly().open();
        JournalReader reader = watching.reader(watching.firstSequence())) {
      int read = 0;
      for (int opening = 0; opening < 4; opening++) {
        try (Journal journal = open()) {
          append(journal, opening * 15);
        }
        for (int i = 0; i < opening * 15; i++) {
          assertThat(reader.next(Limit.limit())).isTrue(); // it looks now and then only
        }
        read += opening * 15;
      }
      assertThat(read).isEqualTo(15 + 30 + 45);
      assertThat(reader.next()).isFalse();
    }
  }

  /** A reader at the start, whose segment is deleted, says so; a new one begins at what is left. */
  @Test
  void aReaderBeforeTheFirstRecordIsToldAndANewOneIsNot() {
    try (Journal journal = open()) {
      append(journal, 60);
      try (JournalReader reader = journal.reader(journal.firstSequence())) {
        journal.truncateBefore(journal.nextSequence() - 5);
        int read = 0;
        boolean told = false;
        try {
          while (reader.next()) {
            read++;
          }
        } catch (GoneException e) {
          told = true;
        }
        assertThat(told || read >= 5).isTrue();
      }
      long first = journal.firstSequence();
      try (JournalReader again = journal.reader(first)) {
        assertThat(again.next()).isTrue();
        assertThat(again.sequence()).isEqualTo(first);
      }
    }
  }
}
