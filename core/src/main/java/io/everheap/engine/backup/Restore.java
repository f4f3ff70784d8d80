package io.everheap.engine.backup;

import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.HeapRebuild;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.EpochStart;
import io.everheap.error.BackupException;
import io.everheap.memory.Medium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a heap from a full backup and the incremental ones that continue it: the pages of all, and
 * the log of the last one. Used by one thread.
 */
final class Restore implements AutoCloseable {
  private final HeapRebuild heap;

  Restore(Medium target) {
    this.heap = new HeapRebuild(target);
  }

  /**
   * Restores.
   *
   * @param archive has the log; null for the log in the backup
   * @param until the LSN up to which transactions are wanted
   * @return the end of the last transaction, with the CRC of the part before it
   */
  EpochStart run(
      Medium backups,
      List<Backup> chain,
      @Nullable Medium archive,
      long until,
      BackupProgress progress) {
    Applied applied = new Applied();
    for (Backup backup : chain) {
      BackupReader reader = new BackupReader(backups, backup.name(), progress);
      applied.limit = Math.max(backup.heapBytes(), reader.start().capacity());
      heap.requireRoom(applied.limit);
      applied.withLog = archive == null && backup.equals(chain.getLast());
      applied.withRegions = backup.equals(chain.getLast());
      reader.read(applied);
      heap.resize(backup.heapBytes());
    }
    Superblock start = applied.start;
    if (start == null) {
      throw new BackupException(
          "The backup " + chain.getLast().name() + " cannot be used: it has no superblock.");
    }
    return heap.complete(start, archive, until, chain.getLast().endLsn());
  }

  /** Makes the heap a replica of the one that was backed up. */
  void asReplica() {
    heap.asReplica();
  }

  /** Opens the restored heap, which makes its page checksums, and closes it. */
  static void openOnce(Medium heap, EngineOptions options) {
    Engine engine;
    try {
      engine = Engine.open(heap, options);
    } catch (RuntimeException | Error e) {
      heap.close();
      throw e;
    }
    engine.close();
  }

  private final class Applied implements BackupReader.Sections {
    @Nullable Superblock start;
    boolean withLog;
    boolean withRegions;
    long limit; // of the image, which the backup announced

    @Override
    public void superblock(Superblock superblock) {
      start = superblock;
      heap.resize(superblock.capacity()); // the tables behind it must be zero when it grows again
    }

    @Override
    public void pages(long first, long count, ByteBuffer images) {
      requireAnnounced(first, count);
      heap.write(first, images);
    }

    @Override
    public void zeros(long first, long count) {
      requireAnnounced(first, count);
      heap.writeZeros(first, count);
    }

    private void requireAnnounced(long first, long count) {
      if (first + count > limit >>> HomeLayout.PAGE_SHIFT) {
        throw new BackupException(
            "The backup cannot be used: it has pages behind the end of the image.");
      }
    }

    @Override
    public void file(String name, long position, ByteBuffer bytes, long size) {
      if (HeapRebuild.isLog(name) ? withLog : withRegions) {
        heap.writeFile(name, bytes, position, size);
      }
    }
  }

  @Override
  public void close() {
    heap.close();
  }
}
