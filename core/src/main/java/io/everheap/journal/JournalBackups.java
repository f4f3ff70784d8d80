package io.everheap.journal;

import io.everheap.backup.BackupFiles;
import io.everheap.backup.BackupKeys;
import io.everheap.backup.Pace;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.BackupException;
import io.everheap.error.EncryptionException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A directory of backups of journals. Each one is a file, which any tool can move and copy.
 *
 * <pre>{@code
 * JournalBackups backups = JournalBackups.in(Path.of("/backups/events"));
 * backups.take(journal);                          // while others append
 * backups.take(journal, Backup.Kind.INCREMENTAL); // only the records since
 * backups.restore(new JournalPoint.Sequence(41), Path.of("events2"));
 * }</pre>
 *
 * <p>A backup has every record that was appended before {@link #take} was called, except for those
 * that are released while it is made. It is durable on return, and a file that is not complete has
 * another name. Appenders do not wait for it. Every record is validated on the way, together with
 * the one before it, and is written with another checksum.
 *
 * <p>Thread-safe. One process writes to a directory at a time.
 *
 * @since 0.9
 */
@Stable
public final class JournalBackups {
  private final BackupFiles<JournalBackup> files;
  private final @Nullable Path path;

  /** Read at each use; volatile, since other threads may use the object before it is encrypted. */
  private volatile @Nullable KeyProvider keys;

  /** Uses media of their own, which the caller encrypts or not. */
  JournalBackups(Supplier<Medium> medium) {
    this.path = null;
    this.files = files(medium, medium, System::currentTimeMillis);
  }

  private JournalBackups(Path path, LongSupplier clock) {
    this.path = path;
    this.files =
        files(
            () -> SealedMedium.with(FileMedium.open(path, false, true), keys),
            () -> SealedMedium.with(FileMedium.watch(path), keys),
            clock);
  }

  private static BackupFiles<JournalBackup> files(
      Supplier<Medium> forWriting, Supplier<Medium> forReading, LongSupplier clock) {
    return new BackupFiles<>(
        JournalBackupLayout.FORMAT,
        forWriting,
        forReading,
        JournalBackupLayout::describe,
        JournalBackupLayout::head,
        clock);
  }

  /** The backups in a directory, which is created when the first one is made. */
  public static JournalBackups in(Path directory) {
    return in(Objects.requireNonNull(directory, "directory"), System::currentTimeMillis);
  }

  /** With a clock that tells the milliseconds since 1970. */
  static JournalBackups in(Path directory, LongSupplier clock) {
    return new JournalBackups(directory, clock);
  }

  /**
   * Encrypts and authenticates everything in the directory from this call on: backups of journals
   * that are encrypted, or of others. Restored journals are encrypted, with new data keys. The file
   * {@code keys} in the directory is needed to read the backups, as is the wrapping key.
   *
   * @param keys gives the wrapping key of the directory and of journals that are restored
   * @return this object
   */
  public JournalBackups encrypt(KeyProvider keys) {
    Objects.requireNonNull(keys, "keys");
    if (path == null) {
      throw new IllegalStateException("the caller encrypts the media of these backups");
    }
    this.keys = keys;
    return this;
  }

  /**
   * Wraps the data keys of the directory with another wrapping key, durably. From then on the old
   * key opens nothing, except copies of the files {@code keys} that were made before, and this
   * object uses the new key. If this is interrupted, repeat it: what has the new key already is
   * left as it is.
   *
   * @param fresh gives the new wrapping key
   * @throws EncryptionException if the directory is not encrypted, {@link #encrypt} was not called,
   *     or it gave another key; nothing was changed then
   * @throws io.everheap.error.LockedException if a program writes to the directory; nothing was
   *     changed then
   */
  public void rekey(KeyProvider fresh) {
    Objects.requireNonNull(fresh, "fresh");
    KeyProvider old = BackupKeys.required(keys);
    BackupKeys.rekey(Objects.requireNonNull(path), old, fresh); // with keys there is a path
    keys = fresh;
  }

  /** Makes a full backup of an open journal; like {@link #take(Journal, Backup.Kind)}. */
  public JournalBackup take(Journal journal) {
    return take(journal, Backup.Kind.FULL);
  }

  /**
   * Makes a backup of a journal that this process has open for appending.
   *
   * @throws BackupException for an incremental one, if no backup in this directory ends with a
   *     record that the journal still has: take a full one
   * @throws io.everheap.error.CorruptException if a record is damaged
   * @throws io.everheap.error.DiskFullException if there is no space for it; the journal goes on
   * @throws IllegalArgumentException if the directory lies in that of the journal
   */
  public JournalBackup take(Journal journal, Backup.Kind kind) {
    return take(journal, kind, 0, BackupProgress.NONE);
  }

  /**
   * Like {@link #take(Journal, Backup.Kind)}, with a limit of its speed and reports of its
   * progress.
   *
   * @param bytesPerSecond limit of what is written; 0 for none
   */
  public JournalBackup take(
      Journal journal, Backup.Kind kind, long bytesPerSecond, BackupProgress progress) {
    Objects.requireNonNull(kind, "kind");
    Pace pace = new Pace(bytesPerSecond);
    if (path != null) {
      BackupFiles.requireOutside("journal", journal.info().location(), path);
    }
    journal.force();
    RecordSource source = journal.source();
    UUID origin = source.state().uuid();
    UUID id = UUID.randomUUID();
    return files.writing(
        target -> {
          Instant now = files.time(target);
          SealedMedium.requireAsSecret(journal.medium, target);
          JournalBackup base =
              kind == Backup.Kind.FULL ? null : requireBase(target, source, origin);
          JournalBackupLayout.End end =
              base == null ? null : JournalBackupLayout.end(target, base.name());
          UUID before = base == null ? null : base.id();
          files.add(
              target,
              id,
              before,
              now,
              out -> {
                out.header(kind, origin, id, before, now.toEpochMilli());
                new JournalCopy(source, out, pace, progress).run(end);
              });
          return JournalBackupLayout.describe(target, files.name(id, before, now));
        });
  }

  /** The newest backup with a whole chain that ends with a record which the journal still has. */
  private JournalBackup requireBase(Medium target, RecordSource source, UUID origin) {
    String reason = "there is no backup of it";
    boolean newest = true;
    for (JournalBackup backup : files.list(target, false).reversed()) {
      if (backup.journal().equals(origin)) {
        String why = JournalCopy.whyNot(source, JournalBackupLayout.end(target, backup.name()));
        if (why == null) {
          files.chain(target, backup); // throws if a link is missing
          return backup;
        }
        reason = newest ? why : reason;
        newest = false;
      }
    }
    throw new BackupException(
        "No backup in "
            + target.location()
            + " can be continued by an incremental one of the journal at "
            + source.location()
            + ": "
            + reason
            + ". Take a full backup.");
  }

  /**
   * The complete backups, oldest first.
   *
   * @throws BackupException if the file of one is damaged
   */
  public List<JournalBackup> list() {
    return files.list();
  }

  /**
   * The backup that was made last.
   *
   * @throws BackupException if there is none
   */
  public JournalBackup newest() {
    return files.newest();
  }

  /**
   * Reads a backup, and those that it continues, and compares everything with its checksums.
   *
   * @throws BackupException if one is damaged or missing
   */
  public void verify(JournalBackup backup, BackupProgress progress) {
    files.reading(
        medium -> {
          new JournalRestore(medium, progress, null).read(files.chain(medium, backup));
          return backup;
        });
  }

  /**
   * The backup from which a journal can be restored up to some point: the newest one for all that
   * there is, otherwise the oldest one that reaches the point, since later ones may not have
   * records any more that were released.
   *
   * @throws BackupException if there is none, or if there are backups of several journals
   */
  public JournalBackup reaching(JournalPoint point) {
    List<JournalBackup> all = files.ofOne("journal");
    if (point instanceof JournalPoint.OfBackup) {
      return newest();
    }
    return all.stream()
        .filter(
            backup ->
                switch (point) {
                  case JournalPoint.OfBackup _ -> true;
                  case JournalPoint.Sequence p -> backup.nextSequence() > p.last();
                  case JournalPoint.Time p -> backup.created().isAfter(p.time());
                })
        .findFirst()
        .orElseThrow(
            () ->
                new BackupException(
                    "No backup in " + files.location() + " reaches " + point + "."));
  }

  /**
   * Restores a journal from a backup, and from those that it continues, into a new or empty
   * directory. The backups are checked before anything is written. If it is interrupted, the
   * directory cannot be opened, and the restore can be repeated.
   *
   * @throws BackupException if a backup is damaged or missing
   * @throws io.everheap.error.ForeignException if the directory is not empty
   */
  public JournalRestoreReport restore(JournalBackup backup, Path target) {
    return restore(backup, new JournalPoint.OfBackup(), target, BackupProgress.NONE);
  }

  /**
   * Restores the journal whose backups are in this directory, up to some point, from the backup
   * that {@link #reaching} finds.
   *
   * @throws BackupException if there is none, or if there are backups of several journals
   */
  public JournalRestoreReport restore(JournalPoint point, Path target) {
    return restore(reaching(point), point, target, BackupProgress.NONE);
  }

  /**
   * Like {@link #restore(JournalBackup, Path)}, up to some point, and with reports of its progress.
   *
   * @throws BackupException if the point is before the oldest record in the backup, or not reached
   *     by it
   */
  public JournalRestoreReport restore(
      JournalBackup backup, JournalPoint point, Path target, BackupProgress progress) {
    return restore(
        backup,
        point,
        () -> {
          KeyProvider key = keys;
          return key == null
              ? SealedMedium.with(Media.open(target, false, true), null)
              : SealedMedium.with(FileMedium.open(target, false, true), key);
        },
        progress);
  }

  /** The same on a medium that is closed on return. */
  JournalRestoreReport restore(
      JournalBackup backup, JournalPoint point, Supplier<Medium> target, BackupProgress progress) {
    requireReached(backup, point);
    verify(backup, progress);
    return files.reading(
        medium -> {
          try (Medium to = target.get();
              JournalRebuild rebuild = new JournalRebuild(to)) {
            JournalRestore restore = new JournalRestore(medium, progress, rebuild);
            restore.read(files.chain(medium, backup));
            long next =
                switch (point) {
                  case JournalPoint.OfBackup _ -> backup.nextSequence();
                  case JournalPoint.Sequence p -> rebuild.cutAfter(p.last());
                  case JournalPoint.Time p -> rebuild.cutAfter(p.time());
                };
            if (next <= backup.firstSequence() && next < backup.nextSequence()) {
              throw tooOld(backup, point);
            }
            rebuild.complete(restore.state(), backup.firstSequence(), next);
            return new JournalRestoreReport(backup, backup.firstSequence(), next);
          }
        });
  }

  private static void requireReached(JournalBackup backup, JournalPoint point) {
    if (point instanceof JournalPoint.Sequence(long last)) {
      if (last >= backup.nextSequence()) {
        throw new BackupException(
            "The backup "
                + backup.name()
                + " ends before record "
                + backup.nextSequence()
                + ", and does not reach "
                + point
                + ": choose a later one.");
      }
      if (last < backup.firstSequence()) {
        throw tooOld(backup, point);
      }
    }
  }

  private static BackupException tooOld(JournalBackup backup, JournalPoint point) {
    return new BackupException(
        "The oldest record in the backup "
            + backup.name()
            + ", "
            + backup.firstSequence()
            + ", is later than "
            + point
            + ": choose an earlier backup.");
  }

  /**
   * Deletes old backups: keeps the newest full ones of each journal, and the incremental ones that
   * continue them.
   *
   * @param full number of full backups to keep, at least 1
   * @return those that were deleted
   */
  public List<JournalBackup> keep(int full) {
    return files.keep(full, (medium, kept) -> {});
  }
}
