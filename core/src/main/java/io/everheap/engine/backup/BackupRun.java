package io.everheap.engine.backup;

import io.everheap.backup.Pace;
import io.everheap.backup.UnfinishedBackup;
import io.everheap.engine.BackupSource;
import io.everheap.engine.Engine;
import io.everheap.error.BackupException;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A backup of an open heap in its steps, so that those of several heaps can end at one moment:
 * {@link #copyPages}, then {@link #end}, then {@link #complete}. Used by one thread.
 */
public final class BackupRun implements AutoCloseable {
  private final Medium target;
  private final @Nullable UUID base;
  private final BackupSource source;
  private final UnfinishedBackup file;
  private final BackupMaker maker;
  private final String name;
  private long end;

  private BackupRun(
      Medium target,
      @Nullable UUID base,
      BackupSource source,
      UnfinishedBackup file,
      BackupMaker maker,
      String name) {
    this.target = target;
    this.base = base;
    this.source = source;
    this.file = file;
    this.maker = maker;
    this.name = name;
  }

  /** Begins a backup; leaves nothing open if it fails. */
  static BackupRun begin(
      Engine engine,
      BackupDirectory directory,
      Backup.Kind kind,
      Pace pace,
      BackupProgress progress) {
    UUID id = UUID.randomUUID();
    Medium target = directory.files().openForWriting();
    try {
      SealedMedium.requireAsSecret(engine.medium(), target);
      if (kind == Backup.Kind.INCREMENTAL && engine.medium().readOnly()) {
        throw new BackupException(
            "An incremental backup needs a heap that is open for writing, and the one at "
                + engine.location()
                + " was opened for reading only: take a full backup.");
      }
      Instant now = directory.files().time(target); // first: it reads files, and a backup keeps log
      BackupSource source = engine.beginBackup(id);
      try {
        boolean full = kind == Backup.Kind.FULL;
        UUID base = full ? null : directory.requireBase(target, engine, source.base());
        UnfinishedBackup file = directory.files().begin(target);
        file.out().header(kind, engine.uuid(), id, base, now.toEpochMilli());
        BackupWriter writer = new BackupWriter(file.out());
        BackupMaker maker = new BackupMaker(engine.medium(), source, writer, pace, progress);
        String name = directory.files().name(id, base, now);
        return new BackupRun(target, base, source, file, maker, name);
      } catch (RuntimeException | Error e) {
        source.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      target.close();
      throw e;
    }
  }

  /** Copies the pages, while transactions go on. */
  public void copyPages() {
    maker.copyPages(base);
  }

  /**
   * Copies what is complete of the log, which is kept for no longer than until it would fill up: to
   * be called often while this backup waits for others.
   */
  public void keepUp() {
    maker.keepUp();
  }

  /** Ends the backup behind the newest transaction. */
  public void end() {
    end = source.newest();
  }

  /** Copies the log up to the end; the backup is durable on return. */
  public Backup complete() {
    source.awaitDurable(end);
    maker.copyLog(end);
    file.complete(name);
    source.complete();
    return BackupDirectory.describe(target, name);
  }

  /** Ends it; a backup that is not complete is given up. */
  @Override
  public void close() {
    try (target;
        source;
        file) {
      // closed in the opposite order
    }
  }
}
