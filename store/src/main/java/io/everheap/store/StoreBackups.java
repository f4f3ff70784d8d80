package io.everheap.store;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.backup.BackupFiles;
import io.everheap.backup.BackupKeys;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.backup.BackupDirectory;
import io.everheap.error.BackupException;
import io.everheap.error.EncryptionException;
import io.everheap.error.ForeignException;
import io.everheap.error.MissingException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.DirectoryKind;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.crypt.KeyFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.stability.Stable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A directory of backups of a store. It has a directory of {@link io.everheap.Backups} for each
 * shard, and for each backup of the store a file that says which of those belong together.
 *
 * <pre>{@code
 * StoreBackups backups = StoreBackups.in(Path.of("/backups/bank"));
 * backups.take(store);                          // while writers go on
 * backups.take(store, Backup.Kind.INCREMENTAL); // only the pages that were written since
 * backups.restore(backups.newest(), Path.of("bank"));
 * }</pre>
 *
 * <p>A backup is the store at one moment, which lies between the call of {@link #take} and its
 * return: every batch is in it wholly or not at all. Writers wait for a moment only. It is durable
 * on return; one that was interrupted is not listed, and the next one can be incremental.
 *
 * <p>Thread-safe. One process writes to a directory at a time.
 *
 * @since 0.9
 */
@Stable
public final class StoreBackups {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Opens a part of the directory; the empty name is the directory itself. */
  interface Places {
    Medium open(String part, boolean writable);
  }

  private final Places places;
  private final Path path;

  /** Read at each use; volatile, since other threads may use the object before it is encrypted. */
  private volatile @Nullable KeyProvider keys;

  StoreBackups(Path path, Places places) {
    this.path = path;
    this.places = places;
  }

  private StoreBackups(Path path) {
    this.path = path;
    this.places = this::open;
  }

  /** The backups in a directory, which is created when the first one is made. */
  public static StoreBackups in(Path directory) {
    return new StoreBackups(Objects.requireNonNull(directory, "directory"));
  }

  private Medium open(String canonical, boolean writable) {
    String part = ShardNames.stored(path, canonical);
    KeyProvider key = keys;
    KeyProvider own = key;
    if (key != null && !part.isEmpty()) {
      try (Medium whole = SealedMedium.with(FileMedium.watch(path), key)) {
        own = StoreKeys.of(whole, part);
      }
    } else if (!writable && key != null && isNew(path)) {
      throw MissingException.heap("there are no backups in " + path, null);
    }
    Path place = path.resolve(part);
    return SealedMedium.with(
        writable ? FileMedium.open(place, false, true) : FileMedium.watch(place), own);
  }

  /**
   * Encrypts and authenticates everything in the directory from this call on: backups of stores
   * that are encrypted, or of others. Restored stores are encrypted, with new data keys. The file
   * {@code keys} in the directory is needed to read the backups, as is the wrapping key.
   *
   * @param keys gives the wrapping key of the directory and of stores that are restored
   * @return this object
   */
  public StoreBackups encrypt(KeyProvider keys) {
    this.keys = Objects.requireNonNull(keys, "keys");
    return this;
  }

  /**
   * Wraps the data key of the directory with another wrapping key, durably. From then on the old
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
    BackupKeys.rekey(path, BackupKeys.required(keys), fresh);
    keys = fresh;
  }

  /** Whether a directory has complete backups of stores. */
  public static boolean exists(Path directory) {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Medium medium = FileMedium.watch(directory)) {
      return !names(medium).isEmpty();
    }
  }

  private static boolean isNew(Path directory) {
    return !Files.exists(directory.resolve(KeyFile.NAME)) && !exists(directory);
  }

  /** The backups of a shard; their log is not archived. */
  private BackupDirectory shard(int index) {
    String name = ShardNames.of(index);
    Function<String, Medium> archive =
        history -> {
          throw MissingException.heap("there is no archive of a store", null);
        };
    return new BackupDirectory(
        () -> places.open(name, true), () -> places.open(name, false), archive, archive);
  }

  /** Makes a full backup of an open store; like {@link #take(ShardedStore, Backup.Kind)}. */
  public StoreBackup take(ShardedStore store) {
    return take(store, Backup.Kind.FULL);
  }

  /**
   * Makes a backup of an open store. An incremental one has all pages of those shards that are new,
   * or whose last backup is not in this directory.
   *
   * @throws BackupException if the directory has backups of another store; for an incremental one,
   *     if it has none: take a full one
   * @throws io.everheap.error.CorruptException if a page of a shard is damaged
   * @throws io.everheap.error.DiskFullException if there is no space for it; the store goes on
   * @throws IllegalStateException if another backup is being made, or inside of a write or {@link
   *     ShardedStore#read}
   * @throws IllegalArgumentException if the directory lies in that of the store
   */
  public StoreBackup take(ShardedStore store, Backup.Kind kind) {
    return take(store, kind, 0, BackupProgress.NONE);
  }

  /**
   * Like {@link #take(ShardedStore, Backup.Kind)}, with a limit of its speed and reports of its
   * progress.
   *
   * @param bytesPerSecond limit of what is written, except for the log; 0 for none
   */
  public StoreBackup take(
      ShardedStore store, Backup.Kind kind, long bytesPerSecond, BackupProgress progress) {
    store.requireWritable();
    BackupFiles.requireOutside("store", store.directory().toString(), path);
    UUID id = store.id();
    List<StoreBackup> earlier = hasDirectory() ? list() : List.of();
    if (!earlier.stream().allMatch(backup -> backup.store().equals(id))) {
      throw new BackupException(
          path + " has backups of another store than " + store + ": choose another directory.");
    }
    if (kind == Backup.Kind.INCREMENTAL && earlier.isEmpty()) {
      throw new BackupException(
          "There is no backup of " + store + " in " + path + ": take a full backup.");
    }
    requireNoOther();
    try (Medium medium = places.open("", true);
        BackupCut cut = new BackupCut(store, this::shard, kind, bytesPerSecond, progress)) {
      Placement placement = cut.cut();
      List<Backup> heaps = cut.complete(placement.shards());
      Instant now = later(earlier);
      String suffix = kind == Backup.Kind.FULL ? "-full-" : "-incremental-";
      StoreBackup backup =
          new StoreBackup(
              NAME.format(now)
                  + suffix
                  + UUID.randomUUID().toString().substring(0, 8)
                  + BackupManifest.SUFFIX,
              kind,
              now,
              id,
              placement.from(),
              placement.to(),
              heaps.stream().map(Backup::id).toList(),
              heaps.stream().mapToLong(Backup::heapBytes).sum(),
              heaps.stream().mapToLong(Backup::bytes).sum());
      BackupManifest.write(backup, medium);
      return backup;
    }
  }

  /** The time; but later than all others, though a clock may be set back: it orders them. */
  private static Instant later(List<StoreBackup> earlier) {
    long now = System.currentTimeMillis();
    long last = earlier.isEmpty() ? 0 : earlier.getLast().created().toEpochMilli();
    return Instant.ofEpochMilli(Math.max(now, last + 1));
  }

  private void requireNoOther() {
    if (Files.isDirectory(path)) {
      try (Medium medium = FileMedium.watch(path)) {
        DirectoryKind.BACKUPS.requireNoOther(medium);
      }
    }
  }

  private boolean hasDirectory() {
    try (Medium _ = places.open("", false)) {
      return true;
    } catch (MissingException e) {
      return false;
    }
  }

  private static List<String> names(Medium medium) {
    return medium.list("").stream()
        .filter(name -> name.endsWith(BackupManifest.SUFFIX))
        .sorted()
        .toList();
  }

  /**
   * The complete backups, oldest first.
   *
   * @throws BackupException if the file of one is damaged, or there is no directory
   */
  public List<StoreBackup> list() {
    if (!hasDirectory()) {
      throw new BackupException("There are no backups of a store in " + path + ".");
    }
    try (Medium medium = places.open("", false)) {
      return names(medium).stream()
          .map(name -> BackupManifest.read(medium, name))
          .sorted(Comparator.comparing(StoreBackup::created))
          .toList();
    }
  }

  /**
   * The backup that was made last.
   *
   * @throws BackupException if there is none
   */
  public StoreBackup newest() {
    List<StoreBackup> all = list();
    if (all.isEmpty()) {
      throw new BackupException("There is no complete backup of a store in " + path + ".");
    }
    return all.getLast();
  }

  /** The backups of the shards that belong to a backup of the store. */
  private List<Backup> heaps(StoreBackup backup) {
    List<Backup> heaps = new ArrayList<>();
    for (int i = 0; i < backup.heaps().size(); i++) {
      UUID id = backup.heaps().get(i);
      String name = ShardNames.of(i);
      heaps.add(
          shard(i).list().stream()
              .filter(b -> b.id().equals(id))
              .findFirst()
              .orElseThrow(
                  () ->
                      new BackupException(
                          String.format(
                              Locale.ROOT,
                              "%s needs the backup %s of %s, which is not in %s.",
                              backup.name(),
                              id,
                              name,
                              path))));
    }
    return heaps;
  }

  /**
   * Reads the backups of all shards, and those that they continue, and compares everything with its
   * checksums.
   *
   * @throws BackupException if one is damaged or missing
   */
  public void verify(StoreBackup backup, BackupProgress progress) {
    List<Backup> heaps = heaps(backup);
    for (int i = 0; i < heaps.size(); i++) {
      String name = ShardNames.of(i);
      shard(i).verify(heaps.get(i), (what, part) -> progress.update(name + ": " + what, part));
    }
  }

  /** Like {@link #restore(StoreBackup, Path, BackupProgress)}, without reports of its progress. */
  public void restore(StoreBackup backup, Path target) {
    restore(backup, target, BackupProgress.NONE);
  }

  /**
   * Restores a store into a new or empty directory; on return it is closed and can be opened. The
   * backups are checked before anything is written. If it is interrupted, the directory cannot be
   * opened; delete it and repeat.
   *
   * @throws BackupException if a backup is damaged or missing
   * @throws ForeignException if there is a store in the directory, or a heap in one of a shard
   */
  public void restore(StoreBackup backup, Path target, BackupProgress progress) {
    restore(
        backup,
        part -> {
          Medium stored = Media.open(target.resolve(part), false, true);
          return part.isEmpty() ? SealedMedium.with(stored, keys) : stored;
        },
        EngineOptions.defaults(),
        progress);
  }

  /**
   * Restores a store.
   *
   * @param target opens a part of its directory, of which the whole may be encrypted
   */
  void restore(
      StoreBackup backup,
      Function<String, Medium> target,
      EngineOptions options,
      BackupProgress progress) {
    verify(backup, progress);
    List<Backup> heaps = heaps(backup);
    try (Medium medium = target.apply("")) {
      if (medium.exists(Descriptor.FILE)) {
        throw ForeignException.of(
            medium.location(), "empty", "it has a store; choose another directory");
      }
      for (int i = 0; i < heaps.size(); i++) {
        String name = ShardNames.of(i);
        shard(i)
            .restore(
                heaps.get(i),
                new RestorePoint.OfBackup(),
                () -> SealedMedium.with(target.apply(name), StoreKeys.of(medium, name)),
                options,
                (what, part) -> progress.update(name + ": " + what, part));
      }
      // Last: what is not complete has none, and cannot be opened.
      Session session = new Session(session(medium, heaps.size(), target, options), List.of());
      new Descriptor(backup.store(), backup.shards(), backup.target(), false, session)
          .write(medium);
    }
  }

  /** The session of restored shards, which a backup takes at one moment. */
  private static @Nullable UUID session(
      Medium root, int count, Function<String, Medium> target, EngineOptions options) {
    List<ShardIdentity> shards = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = ShardNames.of(i);
      try (Medium medium = target.apply(name)) {
        HeapBuilder builder = Heap.builder(Path.of(medium.location())).readOnly();
        KeyProvider key = StoreKeys.of(root, name);
        if (key != null) {
          builder.encrypt(key);
        }
        try (Heap heap =
            HeapSettings.options(MediumSetting.medium(builder, medium), options).open()) {
          shards.add(ShardIdentity.of(heap));
        }
      }
    }
    return ShardIdentity.common(shards);
  }

  /**
   * Deletes old backups: keeps the newest full ones, and the incremental ones behind the oldest of
   * them.
   *
   * @param full number of full backups to keep, at least 1
   * @return those that were deleted
   */
  public List<StoreBackup> keep(int full) {
    if (full < 1) {
      throw new IllegalArgumentException("at least one full backup is kept, not " + full);
    }
    List<StoreBackup> all = list();
    List<StoreBackup> roots = all.stream().filter(b -> b.kind() == Backup.Kind.FULL).toList();
    if (roots.size() <= full) {
      return List.of();
    }
    StoreBackup oldest = roots.get(roots.size() - full);
    List<StoreBackup> deleted = all.subList(0, all.indexOf(oldest));
    try (Medium medium = places.open("", true)) {
      deleted.forEach(backup -> medium.delete(backup.name()));
      medium.syncDirectory(""); // before what they need is deleted
    }
    for (int i = 0; i < oldest.heaps().size(); i++) {
      deleteBefore(shard(i), oldest.heaps().get(i));
    }
    return deleted;
  }

  /** Deletes the backups of a shard that are older than a full one. */
  private static void deleteBefore(BackupDirectory shard, UUID full) {
    List<Backup> roots = shard.list().stream().filter(b -> b.base() == null).toList();
    int kept = roots.size() - roots.stream().map(Backup::id).toList().indexOf(full);
    if (kept <= roots.size()) {
      var _ = shard.keep(kept);
    }
  }
}
