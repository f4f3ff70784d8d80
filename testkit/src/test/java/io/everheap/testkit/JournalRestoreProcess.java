package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.BackupException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalPoint;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;

/**
 * A process that restores a backup of a journal up to a record. Its successor opens the journal,
 * and finds all of it; or is told that the restore was interrupted, and repeats it.
 */
final class JournalRestoreProcess implements SimulatedProcess {
  private final JournalBackupProcess.Store store;
  private final JournalBackup backup;
  private final long next;
  private volatile boolean done;

  JournalRestoreProcess(
      JournalBackupProcess.Store store, JournalBackup backup, long next, boolean done) {
    this.store = store;
    this.backup = backup;
    this.next = next;
    this.done = done;
  }

  @Override
  public Promise promise() {
    boolean restored = done;
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long seed) {
        return new JournalRestoreProcess(store, backup, next, restored);
      }

      @Override
      public Object key() {
        return restored;
      }
    };
  }

  @Override
  public void run(SimulatedMedium medium) {
    if (!medium.exists("journal")) {
      assertThat(done).as("the restore returned").isFalse();
      if (medium.exists("journal.restoring")) {
        assertThatThrownBy(
                () ->
                    MediumSetting.medium(
                            Journal.builder(Path.of("journal")), BackupProcess.unclosed(medium))
                        .open())
            .isInstanceOf(BackupException.class)
            .hasMessageContaining("repeat it");
      }
      store.backups.restore(
          backup, new JournalPoint.Sequence(next - 1), () -> BackupProcess.unclosed(medium));
      done = true;
    }
    JournalBackupProcess.requireRecords(medium, backup.firstSequence(), next);
  }
}
