package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalPoint;
import io.everheap.journal.SimulatedBackups;
import io.everheap.report.Backup;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A process that writes backups of a journal on another machine to a directory which crashes. Its
 * successor finds those that were complete, and whatever is listed can be restored.
 */
final class BackupTargetProcess implements SimulatedProcess {
  private final long seed;
  private final int work;
  private final List<UUID> complete;

  BackupTargetProcess(long seed, int work) {
    this(seed, work, List.of());
  }

  private BackupTargetProcess(long seed, int work, List<UUID> complete) {
    this.seed = seed;
    this.work = work;
    this.complete = new ArrayList<>(complete);
  }

  @Override
  public Promise promise() {
    List<UUID> then;
    synchronized (complete) {
      then = List.copyOf(complete);
    }
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long next) {
        return new BackupTargetProcess(next, Math.min(work, 3), then);
      }

      @Override
      public Object key() {
        return then;
      }
    };
  }

  @Override
  public void run(SimulatedMedium medium) {
    SimulatedBackups backups = new SimulatedBackups(() -> BackupProcess.unclosed(medium));
    requireSound(backups);
    Random random = new Random(seed);
    try (Journal journal = JournalProcess.builder(SimulatedMedium.file(seed), true).open()) {
      for (int i = 0; i < work; i++) {
        for (int n = random.nextInt(30); n > 0; n--) {
          journal.append(JournalBackupProcess.record(journal.nextSequence()));
        }
        Backup.Kind kind = i % 3 == 0 ? Backup.Kind.FULL : Backup.Kind.INCREMENTAL;
        UUID id = backups.all().take(journal, kind).id();
        synchronized (complete) {
          complete.add(id);
        }
      }
    }
  }

  private void requireSound(SimulatedBackups backups) {
    List<JournalBackup> all = backups.all().list();
    synchronized (complete) {
      assertThat(all.stream().map(JournalBackup::id)).containsAll(complete);
    }
    for (JournalBackup backup : all) {
      SimulatedMedium restored = SimulatedMedium.file(9);
      backups.restore(backup, new JournalPoint.OfBackup(), () -> BackupProcess.unclosed(restored));
      JournalBackupProcess.requireRecords(restored, backup.firstSequence(), backup.nextSequence());
    }
  }
}
