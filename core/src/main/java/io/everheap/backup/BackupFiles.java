package io.everheap.backup;

import io.everheap.error.BackupException;
import io.everheap.error.ForeignException;
import io.everheap.error.MissingException;
import io.everheap.memory.Medium;
import io.everheap.report.Backup;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The files of one format in a directory of backups, on a medium of its own. Thread-safe; one
 * process writes to a directory at a time.
 *
 * @param <B> describes a backup
 */
public final class BackupFiles<B> {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final BackupFormat format;
  private final Supplier<Medium> forWriting;
  private final Supplier<Medium> forReading;
  private final BiFunction<Medium, String, B> describe;
  private final Function<B, BackupHead> head;
  private final LongSupplier clock;

  /** Creates it, with the system clock; for the parameters see the other constructor. */
  public BackupFiles(
      BackupFormat format,
      Supplier<Medium> forWriting,
      Supplier<Medium> forReading,
      BiFunction<Medium, String, B> describe,
      Function<B, BackupHead> head) {
    this(format, forWriting, forReading, describe, head, System::currentTimeMillis);
  }

  /**
   * Creates it.
   *
   * @param forWriting opens the medium to add and delete backups; it is closed after each use
   * @param forReading opens it to read backups
   * @param describe reads the start and the end of a file
   * @param head of a description
   * @param clock tells the milliseconds since 1970
   */
  public BackupFiles(
      BackupFormat format,
      Supplier<Medium> forWriting,
      Supplier<Medium> forReading,
      BiFunction<Medium, String, B> describe,
      Function<B, BackupHead> head,
      LongSupplier clock) {
    this.format = format;
    this.forWriting = forWriting;
    this.forReading = forReading;
    this.describe = describe;
    this.head = head;
    this.clock = clock;
  }

  /**
   * The time of a backup that begins now. It is later than that of all others on the medium, since
   * times order backups: a clock that was set back must not make the newest one the oldest.
   */
  public Instant time(Medium target) {
    long last =
        list(target, false).stream()
            .mapToLong(b -> head.apply(b).created().toEpochMilli())
            .max()
            .orElse(Long.MIN_VALUE);
    long now = clock.getAsLong();
    return Instant.ofEpochMilli(now > last ? now : last + 1);
  }

  /**
   * Adds a backup. Until it is complete and durable, its file has a name that no list has.
   *
   * @param base id of the one that it continues; null if it is full
   * @param content writes all of it
   */
  public void add(
      Medium target, UUID id, @Nullable UUID base, Instant now, Consumer<SectionWriter> content) {
    try (UnfinishedBackup unfinished = begin(target)) {
      content.accept(unfinished.out());
      unfinished.complete(name(id, base, now));
    }
  }

  /** Begins a backup that is written in several steps. */
  public UnfinishedBackup begin(Medium target) {
    return new UnfinishedBackup(target, format);
  }

  /** The name of a backup's file. */
  public String name(UUID id, @Nullable UUID base, Instant created) {
    return NAME.format(created)
        + (base == null ? "-full-" : "-incremental-")
        + id.toString().substring(0, 8)
        + format.suffix();
  }

  /**
   * The complete backups of a medium, oldest first.
   *
   * @param all whether one that cannot be read is an error; else it is left out
   * @throws BackupException if the file of one is damaged
   */
  public List<B> list(Medium medium, boolean all) {
    List<B> found = new ArrayList<>();
    for (String name : medium.list("")) {
      if (name.endsWith(format.suffix())) {
        try {
          found.add(describe.apply(medium, name));
        } catch (BackupException | ForeignException e) {
          if (all) {
            throw e;
          }
        }
      }
    }
    found.sort(
        Comparator.comparing((B b) -> head.apply(b).created())
            .thenComparingLong(b -> head.apply(b).end()));
    return found;
  }

  /** The complete backups, oldest first. */
  public List<B> list() {
    return reading(medium -> list(medium, true));
  }

  /**
   * The backup that was made last.
   *
   * @throws BackupException if there is none
   */
  public B newest() {
    List<B> all = list();
    if (all.isEmpty()) {
      throw new BackupException("There is no backup in " + location() + ".");
    }
    return all.getLast();
  }

  /**
   * The backups of the only origin, oldest first.
   *
   * @param what one origin is, as text for people
   * @throws BackupException if there are backups of several
   */
  public List<B> ofOne(String what) {
    List<B> all = list();
    if (all.stream().map(b -> head.apply(b).origin()).distinct().count() > 1) {
      throw new BackupException(
          "There are backups of several "
              + what
              + "s in "
              + location()
              + ": say which backup is to be restored.");
    }
    return all;
  }

  /**
   * A backup and those that it continues, from the full one on.
   *
   * @throws BackupException if one is missing or damaged
   */
  public List<B> chain(Medium medium, B backup) {
    return chain(medium, list(medium, false), backup); // one that is damaged and needed is missing
  }

  /** The same from a {@link #list} of the medium. */
  public List<B> chain(Medium medium, List<B> all, B backup) {
    BackupHead last = head.apply(backup);
    List<B> chain = new ArrayList<>();
    Set<UUID> seen = new HashSet<>();
    UUID wanted = last.id();
    while (true) {
      UUID id = wanted;
      B link =
          all.stream()
              .filter(b -> head.apply(b).id().equals(id))
              .filter(b -> head.apply(b).origin().equals(last.origin()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new BackupException(
                          "The backup "
                              + id
                              + ", which "
                              + last.name()
                              + " needs, is not in "
                              + medium.location()
                              + ", or its file is damaged."));
      chain.addFirst(link);
      UUID base = head.apply(link).base();
      if (base == null) {
        return chain;
      }
      if (!seen.add(id)) {
        throw new BackupException("The backups that " + last.name() + " continues are a circle.");
      }
      wanted = base;
    }
  }

  /**
   * Deletes old backups: keeps the newest full ones of each origin, and the incremental ones that
   * continue them.
   *
   * @param full number of full backups to keep, at least 1
   * @param kept receives the medium and those that are left
   * @return those that were deleted
   */
  public List<B> keep(int full, BiConsumer<Medium, List<B>> kept) {
    if (full < 1) {
      throw new IllegalArgumentException("at least one full backup is kept, not " + full);
    }
    return writing(
        medium -> {
          List<B> all = list(medium, true);
          Set<UUID> ids = idsToKeep(all.stream().map(head).toList(), full);
          List<B> deleted = all.stream().filter(b -> !ids.contains(head.apply(b).id())).toList();
          for (B b : deleted.reversed()) { // a chain never loses a link from its middle
            medium.delete(head.apply(b).name());
          }
          medium.syncDirectory("");
          all.removeAll(deleted);
          kept.accept(medium, all);
          return deleted;
        });
  }

  private static Set<UUID> idsToKeep(List<BackupHead> all, int full) {
    Set<UUID> kept = new HashSet<>();
    for (UUID origin : all.stream().map(BackupHead::origin).distinct().toList()) {
      List<BackupHead> roots =
          all.stream()
              .filter(b -> b.origin().equals(origin) && b.kind() == Backup.Kind.FULL)
              .toList();
      roots.stream().skip(Math.max(0, roots.size() - full)).forEach(root -> kept.add(root.id()));
    }
    boolean more = true;
    while (more) { // links may be in any order, since a clock may have been set back
      more = all.stream().anyMatch(b -> kept.contains(b.base()) && kept.add(b.id()));
    }
    return kept;
  }

  /**
   * Checks that a directory of backups, which need not exist, is not in that of what is backed up.
   *
   * @param what is backed up, as text for people
   * @throws IllegalArgumentException if it is
   */
  public static void requireOutside(String what, String origin, Path backups) {
    Path path = backups.toAbsolutePath().normalize();
    if (path.startsWith(Path.of(origin).toAbsolutePath().normalize())) {
      throw new IllegalArgumentException(
          "backups in "
              + backups
              + " would be lost together with the "
              + what
              + " at "
              + origin
              + ": choose a directory outside of it, on another disk");
    }
  }

  /** Where the backups are, for messages. */
  public String location() {
    return reading(Medium::location);
  }

  /**
   * Applies a function to the medium, opened for reading.
   *
   * @throws BackupException if the directory does not exist
   */
  public <T> T reading(Function<Medium, T> action) {
    Medium medium;
    try {
      medium = forReading.get();
    } catch (MissingException e) {
      throw new BackupException("There are no backups: " + e.getMessage());
    }
    try {
      return action.apply(medium);
    } finally {
      medium.close();
    }
  }

  /** Applies a function to the medium, opened for writing. */
  public <T> T writing(Function<Medium, T> action) {
    try (Medium medium = openForWriting()) {
      return action.apply(medium);
    }
  }

  /** The medium, opened for writing; to be closed by the caller. */
  public Medium openForWriting() {
    return forWriting.get();
  }
}
