package io.everheap.engine.backup;

import io.everheap.backup.BackupFiles;
import io.everheap.backup.BackupHead;
import io.everheap.backup.BackupKeys;
import io.everheap.backup.Pace;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.ArchivePruning;
import io.everheap.engine.log.ArchiveTimes;
import io.everheap.engine.log.EpochStart;
import io.everheap.error.BackupException;
import io.everheap.error.MissingException;
import io.everheap.log.EpochMillis;
import io.everheap.memory.Medium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.report.RestoreReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A directory of backups, on a medium of its own. Thread-safe; one process writes to a directory at
 * a time.
 */
public final class BackupDirectory {
  private final BackupFiles<Backup> files;
  private final Function<String, Medium> archives;
  private final Function<String, Medium> prunable;

  /** Creates it, with the system clock; for the parameters see the other constructor. */
  public BackupDirectory(
      Supplier<Medium> forWriting,
      Supplier<Medium> forReading,
      Function<String, Medium> archives,
      Function<String, Medium> prunable) {
    this(forWriting, forReading, archives, prunable, System::currentTimeMillis);
  }

  /**
   * Creates it.
   *
   * @param forWriting opens the medium to add and delete backups; it is closed after each use
   * @param forReading opens it to read backups
   * @param archives opens the archive of a heap's history to read it
   * @param prunable opens it to delete files, while the heap's process may write others
   * @param clock of the backups' times, in milliseconds since 1970
   */
  BackupDirectory(
      Supplier<Medium> forWriting,
      Supplier<Medium> forReading,
      Function<String, Medium> archives,
      Function<String, Medium> prunable,
      LongSupplier clock) {
    this.archives = archives;
    this.prunable = prunable;
    this.files =
        new BackupFiles<>(
            BackupLayout.FORMAT,
            forWriting,
            forReading,
            BackupDirectory::describe,
            BackupDirectory::head,
            clock);
  }

  /**
   * Makes a backup of an open heap.
   *
   * @param bytesPerSecond limit of what is written, except for the log; 0 for none
   */
  public Backup take(
      Engine engine, Backup.Kind kind, long bytesPerSecond, BackupProgress progress) {
    try (BackupRun run = begin(engine, kind, bytesPerSecond, progress)) {
      run.copyPages();
      run.end();
      return run.complete();
    }
  }

  /** Begins a backup of an open heap, like {@link #take}. */
  public BackupRun begin(
      Engine engine, Backup.Kind kind, long bytesPerSecond, BackupProgress progress) {
    Objects.requireNonNull(kind, "kind");
    return BackupRun.begin(engine, this, kind, new Pace(bytesPerSecond), progress);
  }

  BackupFiles<Backup> files() {
    return files;
  }

  static Backup describe(Medium medium, String name) {
    return new BackupReader(medium, name, BackupProgress.NONE).describe();
  }

  private static BackupHead head(Backup b) {
    return new BackupHead(b.name(), b.kind(), b.id(), b.base(), b.heap(), b.created(), b.endLsn());
  }

  /** The backup that an incremental one continues; throws if it is missing. */
  UUID requireBase(Medium target, Engine engine, @Nullable UUID base) {
    if (base == null) {
      throw new BackupException(
          "The heap at "
              + engine.location()
              + " does not know what changed, since no backup of it was made, or another program"
              + " wrote it: take a full backup.");
    }
    List<Backup> all = files.list(target, false);
    Backup found = all.stream().filter(b -> b.id().equals(base)).findFirst().orElse(null);
    if (found == null) {
      throw new BackupException(
          "The last backup of the heap at "
              + engine.location()
              + ", "
              + base
              + ", is not in "
              + target.location()
              + ": bring it back, or take a full backup.");
    }
    files.chain(target, all, found); // throws if a link is missing
    return base;
  }

  /**
   * The complete backups, oldest first.
   *
   * @throws BackupException if the file of one is damaged
   */
  public List<Backup> list() {
    return files.list();
  }

  /**
   * The backup that was made last.
   *
   * @throws BackupException if there is none
   */
  public Backup newest() {
    return files.newest();
  }

  /**
   * Reads a backup, and those that it continues, and compares everything with its checksums.
   *
   * @throws BackupException if one is damaged or missing
   */
  public void verify(Backup backup, BackupProgress progress) {
    files.reading(
        medium -> {
          for (Backup link : files.chain(medium, backup)) {
            new BackupReader(medium, link.name(), progress).read(new BackupReader.Sections() {});
          }
          return backup;
        });
  }

  /** The directory of the archive of a heap's history in a directory of backups. */
  public static Path archive(Path backups, String history) {
    return backups.resolve(BackupKeys.ARCHIVE + history);
  }

  /**
   * The newest backup from which a heap can be restored as of a moment.
   *
   * @throws BackupException if there is none, or if there are backups of several heaps
   */
  public Backup before(RestorePoint point) {
    List<Backup> all = files.ofOne("heap");
    return all.reversed().stream()
        .filter(b -> point instanceof RestorePoint.OfBackup || b.endLsn() <= end(b, point).lsn())
        .findFirst()
        .orElseThrow(
            () ->
                new BackupException(
                    "There is no backup in "
                        + files.location()
                        + " that is older than "
                        + point
                        + "."));
  }

  private Medium archiveOf(Backup backup) {
    String history =
        files
            .reading(medium -> new BackupReader(medium, backup.name(), BackupProgress.NONE).start())
            .history();
    try {
      return archives.apply(history);
    } catch (MissingException e) {
      throw new BackupException(
          "There is no archive of the log since the backup "
              + backup.name()
              + ": the heap was not opened with HeapBuilder.archive.");
    }
  }

  /** The end of the log that a restore reads: its LSN, and when the archive had it, or 0. */
  private ArchiveTimes.Reached end(Backup backup, RestorePoint point) {
    return switch (point) {
      case RestorePoint.OfBackup _ -> new ArchiveTimes.Reached(0, backup.endLsn());
      case RestorePoint.Newest _ -> new ArchiveTimes.Reached(0, Long.MAX_VALUE);
      case RestorePoint.Lsn p -> new ArchiveTimes.Reached(0, p.lsn());
      case RestorePoint.Time p -> {
        try (Medium archive = archiveOf(backup)) {
          ArchiveTimes.Reached then = ArchiveTimes.at(archive, EpochMillis.of(p.time()));
          yield then == null ? new ArchiveTimes.Reached(0, -1) : then;
        }
      }
    };
  }

  /**
   * Restores a heap.
   *
   * @param target opens the medium for it; closed on return
   * @param options with which the heap is opened once
   */
  public RestoreReport restore(
      Backup backup,
      RestorePoint point,
      Supplier<Medium> target,
      EngineOptions options,
      BackupProgress progress) {
    ArchiveTimes.Reached end = end(backup, point);
    if (end.lsn() < backup.endLsn()) {
      throw new BackupException(
          "The backup "
              + backup.name()
              + " has pages as new as LSN "
              + backup.endLsn()
              + ", and "
              + point
              + " is "
              + (end.lsn() < 0 ? "before the archive begins" : "LSN " + end.lsn())
              + ": choose an earlier backup.");
    }
    return files.reading(
        medium -> {
          List<Backup> chain = files.chain(medium, backup);
          Medium heap = target.get();
          long reached;
          try (Medium archive = point instanceof RestorePoint.OfBackup ? null : archiveOf(backup);
              Restore restore = new Restore(heap)) {
            reached = restore.run(medium, chain, archive, end.lsn(), progress).lsn();
          } catch (RuntimeException | Error e) {
            heap.close();
            throw e;
          }
          Restore.openOnce(heap, options);
          Instant archived = end.millis() == 0 ? null : Instant.ofEpochMilli(end.millis());
          return new RestoreReport(backup, reached, archived);
        });
  }

  /**
   * Deletes old backups: keeps the newest full ones of each heap, and the incremental ones that
   * continue them. Then deletes the archived log before them.
   *
   * @param full number of full backups to keep, at least 1
   * @return those that were deleted
   */
  public List<Backup> keep(int full) {
    return files.keep(full, this::pruneArchives);
  }

  /** Deletes the log before the oldest backup of each history. */
  private void pruneArchives(Medium medium, List<Backup> kept) {
    Map<String, Superblock> oldest = new TreeMap<>();
    for (Backup b : kept) {
      Superblock start = new BackupReader(medium, b.name(), BackupProgress.NONE).start();
      oldest.merge(start.history(), start, BackupDirectory::earlier);
    }
    oldest.forEach(
        (history, s) -> {
          try (Medium archive = prunable.apply(history)) {
            EpochStart start = new EpochStart(s.epoch(), s.checkpointLsn(), s.chain());
            ArchivePruning.deleteBefore(archive, s.uuid(), start);
          } catch (MissingException e) {
            // the heap is not archived
          }
        });
  }

  private static Superblock earlier(Superblock a, Superblock b) {
    return a.checkpointLsn() <= b.checkpointLsn() ? a : b;
  }
}
