package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.DiskFullException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalPoint;
import io.everheap.journal.SimulatedBackups;
import io.everheap.report.Backup;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes journals while they are backed up, directories of backups, and restores. */
@Campaign
class JournalBackupCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void theJournalCrashes() {
    backUp(false, true);
  }

  @Test
  void theJournalCrashesWithoutWaiting() {
    backUp(false, false);
  }

  @Test
  void theJournalCrashesOnByteAddressableStorage() {
    backUp(true, true);
  }

  private static void backUp(boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(4, 40, 3), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      var medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
      new Explorer(seed, efforts, report).explore(new JournalBackupProcess(seed, 60, sync), medium);
    }
    CrashFigures.add(
        "backups of journals, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void theDirectoryOfBackupsCrashes() {
    var report = new CrashReport();
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      JournalBackupScenarios.target(
          seed, List.of(new Explorer.Effort(6, 50, 4), new Explorer.Effort(1, 3, 2)), report);
    }
    CrashFigures.add("directories of backups", report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void aRestoreToAFileCrashes() {
    restore(false);
  }

  @Test
  void aRestoreToByteAddressableStorageCrashes() {
    restore(true);
  }

  private static void restore(boolean dax) {
    var report = new CrashReport();
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      JournalBackupScenarios.restore(
          dax, seed, List.of(new Explorer.Effort(8, 60, 5), new Explorer.Effort(2, 4, 2)), report);
    }
    CrashFigures.add("restores of journals, " + (dax ? "dax" : "file"), report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void aFullDiskEndsABackupAndNothingElse() {
    SimulatedMedium disk = SimulatedMedium.file(1);
    SimulatedBackups backups = new SimulatedBackups(() -> BackupProcess.unclosed(disk));
    try (Journal journal = JournalProcess.builder(SimulatedMedium.file(2), true).open()) {
      for (int i = 0; i < 50; i++) {
        journal.append(JournalBackupProcess.record(i));
      }
      JournalBackup full = backups.all().take(journal);
      for (int i = 50; i < 100; i++) {
        journal.append(JournalBackupProcess.record(i));
      }
      disk.faults().fillDisk(2);
      assertThatThrownBy(() -> backups.all().take(journal, Backup.Kind.INCREMENTAL))
          .isInstanceOf(DiskFullException.class);
      disk.faults().freeSpace();
      assertThat(backups.all().list()).containsExactly(full);
      journal.append(JournalBackupProcess.record(100));
      JournalBackup more = backups.all().take(journal, Backup.Kind.INCREMENTAL);
      SimulatedMedium restored = SimulatedMedium.file(3);
      backups.restore(more, new JournalPoint.OfBackup(), () -> BackupProcess.unclosed(restored));
      JournalBackupProcess.requireRecords(restored, 0, 101);
    }
  }
}
