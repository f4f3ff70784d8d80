package io.everheap.engine;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.LogReader;
import io.everheap.engine.log.Logs;
import io.everheap.error.ForeignHeapException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Builds a heap from the pages and the log of a backup, in an empty directory. It is a heap only
 * when {@link #complete} renames its home file; then it is in the state of one that was killed, and
 * its first opening recovers it. A directory in which this was interrupted is emptied by the next
 * attempt. Used by one thread.
 */
public final class HeapRebuild implements AutoCloseable {
  private static final int ZEROS = 1 << 20;

  private final Medium medium;
  private final MediumFile home;
  private final Set<String> segments = new HashSet<>();

  /**
   * Begins in a directory.
   *
   * @throws ForeignHeapException if the directory has files of anything but an interrupted rebuild
   */
  public HeapRebuild(Medium medium) {
    this.medium = medium;
    boolean interrupted = medium.exists(HeapFiles.RESTORING) && !medium.exists(HeapFiles.HOME);
    List<String> others =
        medium.list("").stream().filter(name -> !HeapFiles.LOCKS.contains(name)).toList();
    if (!interrupted && !others.isEmpty()) {
      throw new ForeignHeapException(
          medium.location(),
          "a backup is restored into an empty or a new directory, and this one has the file "
              + others.getFirst()
              + "; nothing was changed");
    }
    if (!interrupted) {
      medium.create(HeapFiles.RESTORING).close();
    }
    medium.syncDirectory("");
    for (String name : medium.list("log")) {
      medium.delete("log/" + name);
    }
    others.stream().filter(name -> !name.equals(HeapFiles.RESTORING)).forEach(medium::delete);
    this.home = medium.create(HeapFiles.UNFINISHED);
  }

  /** Sets the size of the home image: cuts it, or extends it with zeros that take space. */
  public void resize(long size) {
    long now = home.size();
    if (size <= now) {
      home.truncate(size);
    } else {
      zeros(now, size);
    }
  }

  /** Writes pages. */
  public void write(long page, ByteBuffer images) {
    home.write(images, page << HomeLayout.PAGE_SHIFT);
  }

  /** Sets pages to zero. */
  public void writeZeros(long page, long pages) {
    zeros(page << HomeLayout.PAGE_SHIFT, (page + pages) << HomeLayout.PAGE_SHIFT);
  }

  private void zeros(long from, long to) {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS, to - from));
    for (long at = from; at < to; at += zeros.capacity()) {
      home.write(zeros.clear().limit((int) Math.min(zeros.capacity(), to - at)), at);
    }
  }

  /**
   * Writes to a file of the heap other than the home image: a segment of the log, or a region.
   *
   * @throws IllegalArgumentException if a heap has no file of this name beside its home image
   */
  public void writeFile(String name, ByteBuffer bytes, long position) {
    boolean segment = name.matches("log/[0-9a-zA-Z.-]{1,64}");
    if (!segment && !name.matches(RegionFile.PREFIX + "[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")) {
      throw new IllegalArgumentException("not a file of a heap: " + name);
    }
    if (segment) {
      segments.add(name);
    }
    try (MediumFile file = position == 0 ? medium.create(name) : medium.open(name)) {
      file.write(bytes, position);
      file.sync();
    }
  }

  /**
   * Completes the heap, durably, with all transactions that end at or before an LSN.
   *
   * @param start the superblock from which recovery begins
   * @param until the LSN; the log that was written reaches it, and no page is newer
   * @return the end of the last transaction
   */
  public long complete(Superblock start, long until) {
    EpochStart from = new EpochStart(start.epoch(), start.checkpointLsn(), start.chain());
    EpochStart next = LogReader.lastUntil(medium, start.uuid(), from, until);
    Superblock built =
        start.onMedium(medium.probeDurableWrite().code()).without(Superblock.CHECKSUMS);
    if (next.lsn() > from.lsn()) {
      built = built.with(Superblock.WRITING).continued(next.epoch(), next.lsn(), next.chain());
    } else {
      built = built.checkpointed(next.epoch(), next.lsn(), next.chain(), built.capacity(), true);
      built = built.without(Superblock.CHECKSUMS);
    }
    Logs.start(
            medium,
            Recovery.logOptions(built, EngineOptions.defaults()),
            built.uuid(),
            next.epoch(),
            next.lsn(),
            next.chain(),
            segments)
        .close();
    home.write(ByteBuffer.allocate(2 * HomeLayout.PAGE_SIZE), 0);
    home.write(built.encode(), built.address());
    home.sync();
    medium.rename(HeapFiles.UNFINISHED, HeapFiles.HOME);
    medium.syncDirectory("");
    medium.delete(HeapFiles.RESTORING);
    medium.syncDirectory("");
    return next.lsn();
  }

  @Override
  public void close() {
    home.close();
  }
}
