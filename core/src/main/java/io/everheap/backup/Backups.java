package io.everheap.backup;

import io.everheap.Heap;
import io.everheap.engine.BackupSource;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.error.BackupException;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
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
 */
public final class Backups {
  private static final String SUFFIX = ".backup";
  private static final String UNFINISHED = "unfinished.new";
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final Supplier<Medium> forWriting;
  private final Supplier<Medium> forReading;

  Backups(Supplier<Medium> forWriting, Supplier<Medium> forReading) {
    this.forWriting = forWriting;
    this.forReading = forReading;
  }

  /** The backups in a directory, which is created when the first one is made. */
  public static Backups in(Path directory) {
    Objects.requireNonNull(directory, "directory");
    return new Backups(
        () -> FileMedium.open(directory, false, true), () -> FileMedium.watch(directory));
  }

  /** Makes a full backup of an open heap; like {@link #take(Heap, Backup.Kind)}. */
  public Backup take(Heap heap) {
    return take(heap, Backup.Kind.FULL);
  }

  /**
   * Makes a backup of an open heap.
   *
   * @throws BackupException for an incremental one, if the backup before it is not in this
   *     directory: take a full one
   * @throws io.everheap.error.CorruptHeapException if a page of the heap is damaged
   * @throws io.everheap.error.DiskFullException if there is no space for it; the heap goes on
   * @throws IllegalStateException if the heap is in memory only, if another backup of it is being
   *     made, or inside a transaction
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
    return take(OpenHeap.engine(heap), kind, bytesPerSecond, progress);
  }

  Backup take(Engine engine, Backup.Kind kind, long bytesPerSecond, BackupProgress progress) {
    Objects.requireNonNull(kind, "kind");
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("a rate of " + bytesPerSecond + " bytes per second");
    }
    UUID id = UUID.randomUUID();
    Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
    Medium target = forWriting.get();
    try (BackupSource source = engine.beginBackup(id)) {
      UUID base = kind == Backup.Kind.FULL ? null : requireBase(target, engine, source.base());
      target.delete(UNFINISHED);
      try (MediumFile file = target.create(UNFINISHED)) {
        BackupWriter writer = new BackupWriter(file);
        writer.header(kind, engine.uuid(), id, base, now.toEpochMilli());
        new BackupMaker(engine.medium(), source, writer, bytesPerSecond, progress).run(kind);
      } catch (RuntimeException | Error e) {
        deleteUnfinished(target, e);
        throw e;
      }
      String name =
          NAME.format(now)
              + (base == null ? "-full-" : "-incremental-")
              + id.toString().substring(0, 8)
              + SUFFIX;
      target.rename(UNFINISHED, name);
      target.syncDirectory("");
      source.complete();
      return new BackupReader(target, name, BackupProgress.NONE).describe();
    } finally {
      target.close();
    }
  }

  private static void deleteUnfinished(Medium target, Throwable cause) {
    try {
      target.delete(UNFINISHED);
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private static UUID requireBase(Medium target, Engine engine, @Nullable UUID base) {
    if (base == null) {
      throw new BackupException(
          "The heap at "
              + engine.location()
              + " does not know what changed, since no backup of it was made, or another program"
              + " wrote it: take a full backup.");
    }
    if (list(target).stream().noneMatch(b -> b.id().equals(base))) {
      throw new BackupException(
          "The last backup of the heap at "
              + engine.location()
              + ", "
              + base
              + ", is not in "
              + target.location()
              + ": bring it back, or take a full backup.");
    }
    return base;
  }

  /**
   * The complete backups, oldest first.
   *
   * @throws BackupException if the file of one is damaged
   */
  public List<Backup> list() {
    return reading(Backups::list);
  }

  private static List<Backup> list(Medium medium) {
    List<Backup> found = new ArrayList<>();
    for (String name : medium.list("")) {
      if (name.endsWith(SUFFIX)) {
        found.add(new BackupReader(medium, name, BackupProgress.NONE).describe());
      }
    }
    found.sort(Comparator.comparing(Backup::created).thenComparing(Backup::endLsn));
    return found;
  }

  /**
   * The backup that was made last.
   *
   * @throws BackupException if there is none
   */
  public Backup newest() {
    List<Backup> all = list();
    if (all.isEmpty()) {
      throw new BackupException("There is no backup in " + reading(Medium::location) + ".");
    }
    return all.getLast();
  }

  /**
   * Reads a backup, and those that it continues, and compares everything with its checksums.
   *
   * @throws BackupException if one is damaged or missing
   */
  public void verify(Backup backup, BackupProgress progress) {
    reading(
        medium -> {
          for (Backup link : chain(medium, backup)) {
            new BackupReader(medium, link.name(), progress).read(new BackupReader.Sections() {});
          }
          return backup;
        });
  }

  /**
   * Restores a heap from a backup, and from those that it continues, into a new or empty directory;
   * on return the heap is closed and can be opened. The backups are checked before anything is
   * written. If it is interrupted, the directory cannot be opened, and the restore can be repeated.
   *
   * @throws BackupException if a backup is damaged or missing
   * @throws io.everheap.error.ForeignHeapException if the directory is not empty
   */
  public void restore(Backup backup, Path target) {
    restore(backup, target, BackupProgress.NONE);
  }

  /** Like {@link #restore(Backup, Path)}, with reports of its progress. */
  public void restore(Backup backup, Path target, BackupProgress progress) {
    verify(backup, progress);
    restore(backup, () -> Media.open(target, false, true), EngineOptions.defaults(), progress);
  }

  void restore(
      Backup backup, Supplier<Medium> target, EngineOptions options, BackupProgress progress) {
    reading(
        medium -> {
          Medium heap = target.get();
          try (Restore restore = new Restore(heap)) {
            restore.run(medium, chain(medium, backup), progress);
          } catch (RuntimeException | Error e) {
            heap.close();
            throw e;
          }
          openOnce(heap, options);
          return backup;
        });
  }

  /** Recovers the restored heap, so that it needs no recovery later. */
  private static void openOnce(Medium heap, EngineOptions options) {
    Engine engine;
    try {
      engine = Engine.open(heap, options);
    } catch (RuntimeException | Error e) {
      heap.close();
      throw e;
    }
    engine.close();
  }

  /** A backup and those that it continues, from the full one on. */
  private static List<Backup> chain(Medium medium, Backup backup) {
    List<Backup> all = list(medium);
    List<Backup> chain = new ArrayList<>();
    Set<UUID> seen = new HashSet<>();
    UUID wanted = backup.id();
    while (true) {
      UUID id = wanted;
      Backup link =
          all.stream()
              .filter(b -> b.id().equals(id) && b.heap().equals(backup.heap()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new BackupException(
                          "The backup "
                              + id
                              + ", which "
                              + backup.name()
                              + " needs, is not in "
                              + medium.location()
                              + "."));
      chain.addFirst(link);
      UUID base = link.base();
      if (base == null) {
        return chain;
      }
      if (!seen.add(id)) {
        throw new BackupException("The backups that " + backup.name() + " continues are a circle.");
      }
      wanted = base;
    }
  }

  /**
   * Deletes old backups: keeps the newest full ones of each heap, and the incremental ones that
   * continue them.
   *
   * @param full number of full backups to keep, at least 1
   * @return those that were deleted
   */
  public List<Backup> keep(int full) {
    if (full < 1) {
      throw new IllegalArgumentException("at least one full backup is kept, not " + full);
    }
    Medium medium = forWriting.get();
    try {
      List<Backup> all = list(medium);
      Set<UUID> kept = new HashSet<>();
      for (UUID heap : all.stream().map(Backup::heap).distinct().toList()) {
        List<Backup> roots =
            all.stream().filter(b -> b.heap().equals(heap) && b.base() == null).toList();
        roots.stream()
            .skip(Math.max(0, roots.size() - full))
            .forEach(root -> kept.add(root.id()));
      }
      all.stream().filter(b -> kept.contains(b.base())).forEach(b -> kept.add(b.id()));
      List<Backup> deleted = all.stream().filter(b -> !kept.contains(b.id())).toList();
      for (Backup b : deleted.reversed()) { // a chain never loses a link from its middle
        medium.delete(b.name());
      }
      medium.syncDirectory("");
      return deleted;
    } finally {
      medium.close();
    }
  }

  private <T> T reading(Function<Medium, T> action) {
    Medium medium = forReading.get();
    try {
      return action.apply(medium);
    } finally {
      medium.close();
    }
  }
}
