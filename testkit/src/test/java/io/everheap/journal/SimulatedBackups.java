package io.everheap.journal;

import io.everheap.memory.Medium;
import io.everheap.report.BackupProgress;
import java.util.function.Supplier;

/** Backups of journals on other media than directories. */
public final class SimulatedBackups {
  private final JournalBackups backups;

  /**
   * Uses a medium.
   *
   * @param medium opens it for reading and writing
   */
  public SimulatedBackups(Supplier<Medium> medium) {
    this.backups = new JournalBackups(medium);
  }

  /** The backups there. */
  public JournalBackups all() {
    return backups;
  }

  /** Restores a backup to a medium, which is closed. */
  public JournalRestoreReport restore(
      JournalBackup backup, JournalPoint point, Supplier<Medium> target) {
    return backups.restore(backup, point, target, BackupProgress.NONE);
  }
}
