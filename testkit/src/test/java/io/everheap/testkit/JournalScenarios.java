package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.CorruptException;
import io.everheap.error.StoppedException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.List;

/** What the tests of the tests run against deliberate mistakes in the journal. */
public final class JournalScenarios {
  private static final int SEEDS = 2 * Integer.getInteger("everheap.crash.effort", 1);

  /** In the payload of the third record of {@link #record}, on either medium. */
  private static final long DAMAGE = 5400;

  private JournalScenarios() {}

  public static void file() {
    explore(false, true);
  }

  public static void async() {
    explore(false, false);
  }

  public static void dax() {
    explore(true, true);
  }

  private static void explore(boolean dax, boolean sync) {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(6, 80, 4), new Explorer.Effort(1, 3, 2));
    for (int seed = 1; seed <= SEEDS; seed++) {
      new Explorer(seed, efforts, new CrashReport())
          .explore(new JournalProcess(seed, 60, sync), medium(dax, seed));
    }
  }

  /** A journal from nothing, at almost every moment. */
  public static void firstStart() {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(40, 100, 4), new Explorer.Effort(2, 4, 2));
    for (boolean dax : new boolean[] {false, true}) {
      new Explorer(1, efforts, new CrashReport())
          .explore(new JournalProcess(1, 3, true), medium(dax, 1));
    }
  }

  private static SimulatedMedium medium(boolean dax, long seed) {
    return dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
  }

  private static byte[] record(long number) {
    return ByteBuffer.allocate(500).putLong(number).array();
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(record(journal.nextSequence()));
    }
  }

  private static void requireRecords(Journal journal, long from, long to) {
    assertThat(journal.firstSequence()).isEqualTo(from);
    assertThat(journal.nextSequence()).isEqualTo(to);
    try (JournalReader reader = journal.reader()) {
      for (long s = from; s < to; s++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.bytes()).as("record " + s).isEqualTo(record(s));
      }
      assertThat(reader.next()).isFalse();
    }
  }

  /**
   * Records are cut off at the start of a segment, whose file is used again for what follows: there
   * they have the right sequence and follow the right record, and only their epoch is wrong.
   */
  public static void whatWasCutOffStaysAwayFromAFileThatIsUsedAgain() {
    for (boolean dax : new boolean[] {false, true}) {
      SimulatedMedium medium = medium(dax, 1);
      try (Journal journal = JournalProcess.builder(medium, true).open()) {
        int before = 0;
        while (journal.info().segments() < 2) {
          append(journal, 1);
          before++;
        }
        append(journal, 20);
        journal.truncateAfter(before - 2); // the last record is the first one of its segment
        CrashImage image = medium.image();
        SimulatedMedium after = image.processKill();
        for (int round = 0; round < 6; round++) { // until each file was used again
          try (Journal again = JournalProcess.builder(after, true).open()) {
            requireRecords(again, 0, before - 1);
          }
          after = after.processKill();
        }
      }
    }
  }

  /** What a killed process left in the page cache alone is accepted, and then the power is lost. */
  public static void whatRecoveryAcceptsIsDurable() {
    for (boolean sync : new boolean[] {true, false}) {
      SimulatedMedium medium = SimulatedMedium.file(1);
      Journal journal = JournalProcess.builder(medium, false).open();
      append(journal, 20);
      SimulatedMedium killed = medium.processKill();
      try (Journal again = JournalProcess.builder(killed, sync).open()) {
        requireRecords(again, 0, 20);
        CrashImage image = killed.image();
        try (Journal last = JournalProcess.builder(image.powerLoss(Chooser.none()), true).open()) {
          requireRecords(last, 0, 20);
        }
      }
    }
  }

  /** Damage before an acknowledged record is no torn tail. */
  public static void damageBeforeAnAcknowledgedRecordIsRefused() {
    for (boolean dax : new boolean[] {false, true}) {
      SimulatedMedium medium = medium(dax, 1);
      Journal journal = JournalProcess.builder(medium, true).open();
      append(journal, 10);
      SimulatedMedium damaged = medium.powerLoss(Chooser.none());
      damaged.flipBit("0000000000000001", DAMAGE, 1);
      assertThatThrownBy(() -> JournalProcess.builder(damaged, true).open())
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
    }
  }

  /** The same, seen by who only reads while the journal is open elsewhere. */
  public static void damageBeforeAnAcknowledgedRecordIsNamedToWatchers() {
    for (boolean dax : new boolean[] {false, true}) {
      SimulatedMedium medium = medium(dax, 1);
      Journal journal = JournalProcess.builder(medium, true).open();
      append(journal, 10);
      SimulatedMedium damaged = medium.processKill();
      damaged.flipBit("0000000000000001", DAMAGE, 1);
      try (Journal watched = JournalProcess.builder(damaged, true).readOnly().open();
          JournalReader reader = watched.reader()) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isTrue();
        assertThatThrownBy(reader::next)
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
      }
    }
  }

  /** Readers check what they read, also what recovery did not look at. */
  public static void readersCheckRecords() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Journal journal = JournalProcess.builder(medium, true).open()) {
      append(journal, 10);
      medium.flipBit("0000000000000001", DAMAGE, 1);
      assertThatThrownBy(() -> requireRecords(journal, 0, 10))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
    }
  }

  /** A reader goes on behind a cut in what was appended since. */
  public static void readersGoOnBehindACut() {
    for (boolean dax : new boolean[] {false, true}) {
      try (Journal journal = JournalProcess.builder(medium(dax, 1), true).open();
          JournalReader reader = journal.reader(4)) {
        append(journal, 10);
        assertThat(reader.next()).isTrue();
        journal.truncateAfter(5);
        for (int i = 0; i < 4; i++) {
          journal.append(record(100 + i));
        }
        for (long number : new long[] {5, 100, 101, 102, 103}) {
          assertThat(reader.next()).isTrue();
          assertThat(reader.bytes()).isEqualTo(record(number));
        }
      }
    }
  }

  /** The file of a released segment is not used again while somebody reads it. */
  public static void whatIsReadStaysAsItIs() {
    for (boolean dax : new boolean[] {false, true}) {
      try (Journal journal = JournalProcess.builder(medium(dax, 1), false).open();
          JournalReader reader = journal.reader()) {
        append(journal, 100);
        assertThat(reader.next()).isTrue();
        for (int round = 0; round < 10; round++) {
          journal.truncateBefore(journal.nextSequence());
          append(journal, 100);
          assertThat(reader.bytes()).as("round " + round).isEqualTo(record(0));
        }
      }
    }
  }

  public static void aClosedJournalIsComplete() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Journal journal = JournalProcess.builder(medium, false).open()) {
      append(journal, 100);
    }
    SimulatedMedium after = medium.image().powerLoss(Chooser.none());
    try (Journal again = JournalProcess.builder(after, true).open()) {
      requireRecords(again, 0, 100);
    }
  }

  public static void nothingIsAppendedAfterAFailedSync() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Journal journal = JournalProcess.builder(medium, true).open();
    append(journal, 3);
    medium.faults().failDurableWrite(1);
    assertThatThrownBy(() -> append(journal, 1))
        .isInstanceOf(StoppedException.class)
        .hasMessageContaining("(EH-JOURNAL-FAILED)");
    assertThatThrownBy(() -> append(journal, 1))
        .isInstanceOf(StoppedException.class)
        .hasMessageContaining("(EH-JOURNAL-FAILED)");

    SimulatedMedium other = SimulatedMedium.file(2);
    Journal second = JournalProcess.builder(other, true).open();
    append(second, 3);
    other.faults().failSync(1);
    assertThatThrownBy(() -> second.truncateBefore(2)).isInstanceOf(Exception.class);
    assertThatThrownBy(() -> append(second, 1))
        .isInstanceOf(StoppedException.class)
        .hasMessageContaining("(EH-JOURNAL-FAILED)");
  }
}
