package io.everheap.store;

import io.everheap.engine.EngineOptions;
import io.everheap.memory.Medium;
import io.everheap.memory.SubdirectoryMedium;
import io.everheap.report.BackupProgress;
import java.nio.file.Path;
import java.util.function.Function;

/** Backups of stores on simulated media. */
public final class SimulatedBackups {
  private SimulatedBackups() {}

  /** Those in a directory of a medium. */
  public static StoreBackups in(Medium medium, String directory) {
    Function<String, Medium> parts = parts(medium, directory);
    return new StoreBackups(Path.of(directory), (part, writable) -> parts.apply(part));
  }

  /** Restores a store to a directory of a medium. */
  public static void restore(
      StoreBackups backups,
      StoreBackup backup,
      Medium medium,
      String directory,
      EngineOptions options) {
    backups.restore(backup, parts(medium, directory), options, BackupProgress.NONE);
  }

  private static Function<String, Medium> parts(Medium medium, String directory) {
    return part ->
        new SubdirectoryMedium(medium, part.isEmpty() ? directory : directory + "/" + part);
  }
}
