package io.everheap.journal;

import io.everheap.stability.Stable;
import java.time.Instant;

/**
 * Up to where a journal is restored.
 *
 * @since 0.9
 */
@Stable
public sealed interface JournalPoint {
  /** All that the backup has. */
  record OfBackup() implements JournalPoint {
    @Override
    public String toString() {
      return "the end of the backup";
    }
  }

  /**
   * Up to a record; of a batch all or none.
   *
   * @param last sequence of the last record that is wanted
   */
  record Sequence(long last) implements JournalPoint {
    /** Refuses a negative number. */
    public Sequence {
      if (last < 0) {
        throw new IllegalArgumentException("sequence: " + last);
      }
    }

    @Override
    public String toString() {
      return "record " + last;
    }
  }

  /**
   * Up to the first record that was appended later. Needs {@link JournalBuilder#timestamps}.
   *
   * @param time by the clock of the machine that wrote the journal
   */
  record Time(Instant time) implements JournalPoint {
    @Override
    public String toString() {
      return time.toString();
    }
  }
}
