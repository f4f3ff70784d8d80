package io.everheap.engine.backup;

import io.everheap.engine.BackupSource;
import io.everheap.engine.Engine;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
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
  private final Backup.Kind kind;
  private final BackupSource source;
  private final MediumFile file;
  private final BackupMaker maker;
  private final String name;
  private long end;
  private boolean named;

  /** Begins a backup; closes the target if it fails. */
  BackupRun(
      Engine engine,
      Medium target,
      Backup.Kind kind,
      long bytesPerSecond,
      BackupProgress progress) {
    this.target = target;
    this.kind = kind;
    UUID id = UUID.randomUUID();
    Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
    BackupSource begun = null;
    MediumFile created = null;
    try {
      begun = engine.beginBackup(id);
      boolean full = kind == Backup.Kind.FULL;
      UUID base = full ? null : BackupDirectory.requireBase(target, engine, begun.base());
      target.delete(BackupDirectory.UNFINISHED);
      created = target.create(BackupDirectory.UNFINISHED);
      BackupWriter writer = new BackupWriter(new FileSink(created));
      writer.header(kind, engine.uuid(), id, base, now.toEpochMilli());
      this.maker = new BackupMaker(engine.medium(), begun, writer, bytesPerSecond, progress);
      this.source = begun;
      this.file = created;
      this.name = BackupDirectory.name(now, kind, id);
    } catch (RuntimeException | Error e) {
      giveUp(e, target, begun, created);
      throw e;
    }
  }

  private static void giveUp(
      Throwable cause, Medium target, @Nullable AutoCloseable source, @Nullable MediumFile file) {
    try (target;
        source) {
      delete(target, file);
    } catch (Exception suppressed) {
      cause.addSuppressed(suppressed);
    }
  }

  private static void delete(Medium target, @Nullable MediumFile file) {
    if (file != null) {
      file.close();
      target.delete(BackupDirectory.UNFINISHED);
    }
  }

  /** Copies the pages, while transactions go on. */
  public void copyPages() {
    maker.copyPages(kind);
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
    file.close();
    target.rename(BackupDirectory.UNFINISHED, name);
    named = true;
    target.syncDirectory("");
    source.complete();
    return new BackupReader(target, name, BackupProgress.NONE).describe();
  }

  /** Ends it; a backup that is not complete is given up. */
  @Override
  public void close() {
    try (target;
        source) {
      if (!named) {
        delete(target, file);
      }
    }
  }
}
