package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalPoint;
import io.everheap.report.Backup;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;

/** What the tests of the tests run against deliberate mistakes in backups of journals. */
public final class JournalBackupScenarios {
  private static final int SEEDS = 2 * Integer.getInteger("everheap.crash.effort", 1);

  private JournalBackupScenarios() {}

  /** Backs up at random; the journal crashes. */
  public static void file() {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(4, 40, 3), new Explorer.Effort(1, 1, 1));
    for (int seed = 1; seed <= SEEDS; seed++) {
      new Explorer(seed, efforts, new CrashReport())
          .explore(new JournalBackupProcess(seed, 40, seed % 2 == 0), SimulatedMedium.file(seed));
    }
  }

  /** The directory of backups crashes. */
  public static void target() {
    target(1, List.of(new Explorer.Effort(10, 60, 4)), new CrashReport());
  }

  static void target(int seed, List<Explorer.Effort> efforts, CrashReport report) {
    new Explorer(seed, efforts, report)
        .explore(new BackupTargetProcess(seed, 5), SimulatedMedium.file(seed));
  }

  /** Restores, crashed at almost every moment. */
  public static void restore() {
    restore(false, 1, List.of(new Explorer.Effort(40, 140, 4)), new CrashReport());
  }

  static void restore(boolean dax, int seed, List<Explorer.Effort> efforts, CrashReport report) {
    JournalBackupProcess.Store store = new JournalBackupProcess.Store(SimulatedMedium.file(seed));
    JournalBackup backup = null;
    long first = 0;
    try (Journal journal = JournalProcess.builder(SimulatedMedium.file(seed), true).open()) {
      for (int i = 0; i < 4; i++) {
        append(journal, 40);
        Backup.Kind kind = i == 0 ? Backup.Kind.FULL : Backup.Kind.INCREMENTAL;
        backup = store.backups.all().take(journal, kind);
        first = 30L * i;
        journal.truncateBefore(first);
      }
    }
    assertThat(backup).isNotNull();
    new Explorer(seed, efforts, report)
        .explore(
            new JournalRestoreProcess(store, backup, backup.nextSequence() - 25, false),
            dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed));
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(JournalBackupProcess.record(journal.nextSequence()));
    }
  }

  /** A copy of a journal that went on in another way continues what both have. */
  public static void diverged() {
    JournalBackupProcess.Store store = new JournalBackupProcess.Store(SimulatedMedium.file(1));
    SimulatedMedium medium = SimulatedMedium.file(2);
    SimulatedMedium copy;
    try (Journal journal = JournalProcess.builder(medium, true).open()) {
      append(journal, 20);
      store.backups.all().take(journal, Backup.Kind.FULL);
      copy = medium.powerLoss(Chooser.all());
      append(journal, 20);
      store.backups.all().take(journal, Backup.Kind.INCREMENTAL);
    }
    byte[] other = {1, 2, 3};
    JournalBackup backup;
    try (Journal journal = JournalProcess.builder(copy, true).open()) {
      for (int i = 0; i < 30; i++) {
        journal.append(other);
      }
      backup = store.backups.all().take(journal, Backup.Kind.INCREMENTAL);
    }
    SimulatedMedium restored = SimulatedMedium.file(3);
    store.backups.restore(
        backup, new JournalPoint.OfBackup(), () -> BackupProcess.unclosed(restored));
    try (Journal journal = JournalProcess.builder(restored, true).open()) {
      assertThat(journal.nextSequence()).isEqualTo(50);
      assertThat(journal.read(25)).isEqualTo(other);
    }
  }

  /** Segments are released, and new ones begun, while a backup copies the released ones. */
  public static void releasedMeanwhile() {
    JournalBackupProcess.Store store = new JournalBackupProcess.Store(SimulatedMedium.file(1));
    try (Journal journal = JournalProcess.builder(SimulatedMedium.file(2), true).open()) {
      append(journal, 200);
      int[] calls = {0};
      long next = journal.nextSequence();
      JournalBackup backup =
          store
              .backups
              .all()
              .take(
                  journal,
                  Backup.Kind.FULL,
                  0,
                  (what, part) -> {
                    if (calls[0]++ == 1) {
                      journal.truncateBefore(next - 50);
                      append(journal, 200); // in the files of what was released, if they are free
                    }
                  });
      SimulatedMedium restored = SimulatedMedium.file(9);
      store.backups.restore(
          backup,
          new io.everheap.journal.JournalPoint.OfBackup(),
          () -> BackupProcess.unclosed(restored));
      JournalBackupProcess.requireRecords(restored, backup.firstSequence(), next);
    }
  }
}
