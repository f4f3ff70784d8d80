package io.everheap.engine;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.LogReader;
import io.everheap.engine.log.Logs;
import io.everheap.error.BackupException;
import io.everheap.error.DiskFullException;
import io.everheap.error.ForeignException;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Builds a heap from the pages and the log of a backup, in an empty directory. It is a heap only
 * when {@link #complete} renames its home file. A directory in which this was interrupted is
 * emptied by the next attempt. Used by one thread.
 */
public final class HeapRebuild implements AutoCloseable {
  private static final int ZEROS = 1 << 20;
  private static final Set<String> OURS = Set.of(HeapFiles.RESTORING, HeapFiles.UNFINISHED);

  private final Medium medium;
  private final MediumFile home;
  private @Nullable MediumFile file; // which is being written
  private @Nullable String fileName;
  private long fileSize;
  private long fileEnd;
  private boolean replica;

  /**
   * Begins in a directory.
   *
   * @throws ForeignException if the directory has files of anything but an interrupted rebuild
   */
  public HeapRebuild(Medium medium) {
    this.medium = medium;
    boolean interrupted = medium.exists(HeapFiles.RESTORING) && !medium.exists(HeapFiles.HOME);
    List<String> others =
        medium.list("").stream().filter(name -> !HeapFiles.LOCKS.contains(name)).toList();
    boolean ours =
        interrupted && others.stream().allMatch(name -> isFile(name) || OURS.contains(name));
    if (!ours && !others.isEmpty()) {
      throw ForeignException.heap(
          medium.location(),
          "a backup is restored into an empty or a new directory, and this one has the file "
              + others.stream()
                  .filter(name -> !interrupted || !OURS.contains(name))
                  .findFirst()
                  .orElse(HeapFiles.RESTORING)
              + "; nothing was changed");
    }
    if (!interrupted) {
      medium.create(HeapFiles.RESTORING).close();
    }
    medium.syncDirectory("");
    for (String name : medium.list("log")) {
      if (isLog("log/" + name)) {
        medium.delete("log/" + name);
      }
    }
    others.stream().filter(name -> !name.equals(HeapFiles.RESTORING)).forEach(medium::delete);
    this.home = medium.create(HeapFiles.UNFINISHED);
  }

  /**
   * Checks that bytes can be written. What a backup announces may be far more than it has: pages of
   * zeros and the ends of segments take space only where it is restored.
   *
   * @throws DiskFullException if the storage is known to have fewer
   */
  public void requireRoom(long bytes) {
    if (medium.lacksRoom(bytes)) {
      throw new DiskFullException(
          medium.location() + " has no room for the " + bytes + " bytes that the backup takes",
          null);
    }
  }

  /** Sets the size of the home image: cuts it, or extends it with zeros that take space. */
  public void resize(long size) {
    long now = home.size();
    if (size <= now) {
      home.truncate(size);
    } else {
      requireRoom(size - now); // the log may also claim changes far behind the image
      zeros(home, now, size);
    }
  }

  /** Writes pages. */
  public void write(long page, ByteBuffer images) {
    home.write(images, page << HomeLayout.PAGE_SHIFT);
  }

  /** Sets pages to zero. */
  public void writeZeros(long page, long pages) {
    zeros(home, page << HomeLayout.PAGE_SHIFT, (page + pages) << HomeLayout.PAGE_SHIFT);
  }

  private static void zeros(MediumFile to, long from, long end) {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS, end - from));
    for (long at = from; at < end; at += zeros.capacity()) {
      to.write(zeros.clear().limit((int) Math.min(zeros.capacity(), end - at)), at);
    }
  }

  /** Whether a file is a segment of the log. */
  public static boolean isLog(String name) {
    return name.startsWith("log/") && SegmentLayout.isSegment(name.substring(4));
  }

  /** Whether a heap can have a file of this name beside its home image and its lock. */
  public static boolean isFile(String name) {
    return isLog(name)
        || (name.startsWith(RegionFile.PREFIX)
            && name.substring(RegionFile.PREFIX.length())
                .matches("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}"));
  }

  /**
   * Writes to a file of the heap other than the home image: a segment of the log, or a region. The
   * bytes of a file come one after the other, from position 0 on.
   *
   * @param size of the whole file: what does not come at its end, of a segment, is zeros
   * @throws IllegalArgumentException if a heap has no file of this name beside its home image
   * @throws BackupException if the bytes before these are missing
   */
  public void writeFile(String name, ByteBuffer bytes, long position, long size) {
    if (!isFile(name)) {
      throw new IllegalArgumentException("not a file of a heap: " + name);
    }
    if (position == 0) {
      endFile();
      requireRoom(size);
      file = medium.create(name);
      fileName = name;
    }
    MediumFile open = file;
    if (open == null || !name.equals(fileName)) {
      throw new BackupException("The first bytes of the file " + name + " are missing.");
    }
    fileSize = size;
    fileEnd = position + bytes.remaining();
    open.write(bytes, position);
  }

  /**
   * Makes the last file durable, with the size that it has to have. Its zeros take space: the log
   * uses a segment again, and a write to it must not fail on a full disk.
   */
  private void endFile() {
    try (MediumFile last = file) {
      if (last != null) {
        if (fileEnd < fileSize) {
          if (!isLog(String.valueOf(fileName))) {
            throw new BackupException("The end of the file " + fileName + " is missing.");
          }
          zeros(last, fileEnd, fileSize);
        }
        last.sync();
      }
    }
    file = null;
  }

  /** Makes the heap a replica of the one whose pages and log it gets. */
  public void asReplica() {
    replica = true;
  }

  /**
   * Completes the heap, durably, with all transactions that end at or before an LSN. It is in the
   * state of one that was closed.
   *
   * @param start the superblock of the checkpoint before which the log is not needed
   * @param log the medium that has the log; null if the log was written to this heap
   * @param until the LSN; {@link Long#MAX_VALUE} for all of the log
   * @param least the LSN that must be reached: pages are as new as this
   * @return the end of the last transaction, with the CRC of the part before it
   * @throws BackupException if the log does not reach that LSN
   */
  public EpochStart complete(Superblock start, @Nullable Medium log, long until, long least) {
    endFile();
    Medium from = log == null ? medium : log;
    UUID uuid = start.uuid();
    EpochStart begin = new EpochStart(start.epoch(), start.checkpointLsn(), start.chain());
    ImageRedo redo = new ImageRedo(home);
    boolean needsLog = log != null || least > begin.lsn();
    EpochStart end =
        needsLog
            ? LogReader.readUntil(from, uuid, begin, until, redo.measure())
            : new EpochStart(begin.epoch() + 1, begin.lsn(), begin.chain());
    if (end.lsn() < least) {
      throw new BackupException(
          "The log in "
              + from.location()
              + " ends at LSN "
              + end.lsn()
              + ", but the pages of the backup are as new as LSN "
              + least
              + ".");
    }
    resize(Math.max(home.size(), redo.highest()));
    if (needsLog) {
      LogReader.readUntil(from, uuid, begin, end.lsn(), redo);
      redo.flush();
    }
    if (replica) {
      home.write(
          new ReplicaPosition(start.createdMillis(), end.lsn(), end.chain()).encode(),
          HomeLayout.REPLICA_ADDRESS);
    } else {
      ReplicaPosition.decideAnew(home);
    }
    Superblock built =
        start
            .restored(medium.probeDurableWrite().code(), later(start.createdMillis()))
            .checkpointed(end.epoch(), end.lsn(), end.chain(), redo.capacity(), true)
            .without(Superblock.CHECKSUMS);
    Logs.start(
            medium,
            Recovery.logOptions(built, EngineOptions.defaults()),
            uuid,
            end.epoch(),
            end.lsn(),
            end.chain(),
            Set.of())
        .close();
    home.write(ByteBuffer.allocate(2 * HomeLayout.PAGE_SIZE), 0);
    home.write(built.encode(), built.address());
    home.sync();
    medium.rename(HeapFiles.UNFINISHED, HeapFiles.HOME);
    medium.syncDirectory("");
    medium.delete(HeapFiles.RESTORING);
    medium.syncDirectory("");
    return end;
  }

  /** The present time, or the next one after the original's creation. */
  private static long later(long created) {
    return Math.max(System.currentTimeMillis(), created + 1);
  }

  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
    home.close();
  }
}
