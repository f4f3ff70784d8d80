package io.everheap;

import io.everheap.backup.BackupFiles;
import io.everheap.backup.BackupKeys;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.backup.BackupDirectory;
import io.everheap.error.BackupException;
import io.everheap.error.EncryptionException;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.report.RestoreReport;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A directory of backups. Each one is a file, which any tool can move and copy.
 *
 * <pre>{@code
 * Backups backups = Backups.in(Path.of("/backups/bank"));
 * backups.take(heap);                          // while transactions go on
 * backups.take(heap, Backup.Kind.INCREMENTAL); // only the pages that were written since
 * backups.restore(backups.newest(), Path.of("bank"));
 * }</pre>
 *
 * <p>A backup has every transaction that was committed before {@link #take} was called, whole, and
 * those until some moment before it returns. It is durable on return, and a file that is not
 * complete has another name. Transactions wait for it no longer than for a checkpoint, except that
 * the log is kept until it is copied. Every page is compared with its checksum on the way, and is
 * written with another one.
 *
 * <p>Raw regions ({@code Heap.region}) are copied as well, in the state of different moments, since
 * stores to them are no transactions.
 *
 * <p>Thread-safe. One process writes to a directory at a time.
 *
 * @since 0.9
 */
@Stable
public final class Backups {
  private final BackupDirectory directory;
  private final Path path;

  /** Read at each use; volatile, since other threads may use the object before it is encrypted. */
  private volatile @Nullable KeyProvider keys;

  private Backups(Path path) {
    this.path = path;
    this.directory =
        new BackupDirectory(
            () -> SealedMedium.with(FileMedium.open(path, false, true), keys),
            () -> SealedMedium.with(FileMedium.watch(path), keys),
            history ->
                SealedMedium.with(FileMedium.watch(BackupDirectory.archive(path, history)), keys),
            history ->
                SealedMedium.with(FileMedium.beside(BackupDirectory.archive(path, history)), keys));
  }

  /** The backups in a directory, which is created when the first one is made. */
  public static Backups in(Path directory) {
    return new Backups(Objects.requireNonNull(directory, "directory"));
  }

  /**
   * Encrypts and authenticates everything in the directory from this call on: backups of heaps that
   * are encrypted, or of others. Restored heaps are encrypted, with new data keys. The file {@code
   * keys} in the directory is needed to read the backups, as is the wrapping key.
   *
   * @param keys gives the wrapping key of the directory, of the archives in it, and of heaps that
   *     are restored
   * @return this object
   */
  public Backups encrypt(KeyProvider keys) {
    this.keys = Objects.requireNonNull(keys, "keys");
    return this;
  }

  /**
   * Wraps the data keys of the directory, and of the archives in it, with another wrapping key,
   * durably. From then on the old key opens nothing, except copies of the files {@code keys} that
   * were made before, and this object uses the new key. If this is interrupted, repeat it: what has
   * the new key already is left as it is.
   *
   * @param fresh gives the new wrapping key
   * @throws EncryptionException if the directory is not encrypted, {@link #encrypt} was not called,
   *     or it gave another key; nothing was changed then
   * @throws io.everheap.error.LockedException if a program writes to the directory, or has a heap
   *     open whose log is archived there; nothing was changed then
   */
  public void rekey(KeyProvider fresh) {
    Objects.requireNonNull(fresh, "fresh");
    BackupKeys.rekey(path, BackupKeys.required(keys), fresh);
    keys = fresh;
  }

  /** Makes a full backup of an open heap; like {@link #take(Heap, Backup.Kind)}. */
  public Backup take(Heap heap) {
    return take(heap, Backup.Kind.FULL);
  }

  /**
   * Makes a backup of an open heap.
   *
   * @param heap may be open for reading only: then nothing in it is changed, so that a later
   *     incremental backup continues the one before
   * @throws BackupException for an incremental one, if the backup before it is not in this
   *     directory, or the heap is open for reading only: take a full one
   * @throws io.everheap.error.CorruptException if a page of the heap is damaged
   * @throws io.everheap.error.DiskFullException if there is no space for it; the heap goes on
   * @throws IllegalStateException if the heap is in memory only, if another backup of it is being
   *     made, or inside a transaction
   * @throws IllegalArgumentException if the directory lies in that of the heap
   */
  public Backup take(Heap heap, Backup.Kind kind) {
    return take(heap, kind, 0, BackupProgress.NONE);
  }

  /**
   * Like {@link #take(Heap, Backup.Kind)}, with a limit of its speed and reports of its progress.
   *
   * @param bytesPerSecond limit of what is written, except for the log; 0 for none
   */
  public Backup take(Heap heap, Backup.Kind kind, long bytesPerSecond, BackupProgress progress) {
    Engine engine = OpenHeap.engine(heap);
    BackupFiles.requireOutside("heap", engine.location(), path);
    return directory.take(engine, kind, bytesPerSecond, progress);
  }

  /**
   * The complete backups, oldest first.
   *
   * @throws BackupException if the file of one is damaged
   */
  public List<Backup> list() {
    return directory.list();
  }

  /**
   * The backup that was made last.
   *
   * @throws BackupException if there is none
   */
  public Backup newest() {
    return directory.newest();
  }

  /**
   * Reads a backup, and those that it continues, and compares everything with its checksums.
   *
   * @throws BackupException if one is damaged or missing
   */
  public void verify(Backup backup, BackupProgress progress) {
    directory.verify(backup, progress);
  }

  /**
   * Restores a heap from a backup, and from those that it continues, into a new or empty directory;
   * on return the heap is closed and can be opened. The backups are checked before anything is
   * written. If it is interrupted, the directory cannot be opened, and the restore can be repeated.
   *
   * @throws BackupException if a backup is damaged or missing
   * @throws io.everheap.error.ForeignException if the directory is not empty
   */
  public RestoreReport restore(Backup backup, Path target) {
    return restore(backup, new RestorePoint.OfBackup(), target, BackupProgress.NONE);
  }

  /**
   * Like {@link #restore(Backup, Path)}, with the transactions of the archive up to a moment, and
   * with reports of its progress.
   *
   * @throws BackupException if the moment is before the backup was complete, or the archive does
   *     not begin before it
   * @throws io.everheap.error.CorruptException if the archive is damaged or has a gap
   */
  public RestoreReport restore(
      Backup backup, RestorePoint point, Path target, BackupProgress progress) {
    verify(backup, progress);
    return directory.restore(
        backup,
        point,
        () -> SealedMedium.with(Media.open(target, false, true), keys),
        EngineOptions.defaults(),
        progress);
  }

  /**
   * The newest backup from which a heap can be restored as of a moment.
   *
   * @throws BackupException if there is none, or if there are backups of several heaps
   */
  public Backup before(RestorePoint point) {
    return directory.before(point);
  }

  /**
   * Restores the heap whose backups are in this directory as of a moment, from the newest backup
   * before it.
   *
   * @throws BackupException if there is none, or if there are backups of several heaps
   */
  public RestoreReport restore(RestorePoint point, Path target) {
    return restore(directory.before(point), point, target, BackupProgress.NONE);
  }

  /**
   * Deletes old backups: keeps the newest full ones of each heap, and the incremental ones that
   * continue them. Then deletes the archived log that is older than those.
   *
   * @param full number of full backups to keep, at least 1
   * @return those that were deleted
   */
  public List<Backup> keep(int full) {
    return directory.keep(full);
  }
}
