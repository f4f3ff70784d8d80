package io.everheap.engine.backup;

import io.everheap.backup.BackupSink;
import io.everheap.backup.Pace;
import io.everheap.backup.SectionWriter;
import io.everheap.engine.BackupSource;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.log.EpochStart;
import io.everheap.memory.Medium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** A full backup from which a replica is made. It is no link of the heap's incremental backups. */
public final class BaseCopy {
  /** Name of the file on the replica's machine. */
  public static final String NAME = "base.backup";

  private BaseCopy() {}

  /**
   * Sends the copy of an open heap, also of an encrypted one: the caller decides who may have it.
   *
   * @throws IllegalStateException if a backup of it is being made
   */
  public static void send(Engine engine, BackupSink to, BackupProgress progress) {
    UUID id = UUID.randomUUID();
    try (BackupSource source = engine.beginBackup(id)) {
      SectionWriter writer = new SectionWriter(to, BackupLayout.FORMAT);
      writer.header(Backup.Kind.FULL, engine.uuid(), id, null, System.currentTimeMillis());
      new BackupMaker(engine.medium(), source, new BackupWriter(writer), new Pace(0), progress)
          .run();
    }
  }

  /**
   * Makes a heap of a copy that arrived, in an empty directory.
   *
   * @param held has the copy as the file {@link #NAME}
   * @param target opens the medium of the heap, which is closed on return
   * @return the end of the primary's log in it, and the CRC of the part before that
   * @throws io.everheap.error.BackupException if the copy is damaged
   */
  public static EpochStart restore(
      Medium held, Supplier<Medium> target, EngineOptions options, BackupProgress progress) {
    Backup copy = new BackupReader(held, NAME, BackupProgress.NONE).describe();
    new BackupReader(held, NAME, progress).read(new BackupReader.Sections() {});
    Medium heap = target.get();
    EpochStart end;
    try (Restore restore = new Restore(heap)) {
      restore.asReplica();
      end = restore.run(held, List.of(copy), null, copy.endLsn(), progress);
    } catch (RuntimeException | Error e) {
      heap.close();
      throw e;
    }
    Restore.openOnce(heap, options);
    return end;
  }
}
