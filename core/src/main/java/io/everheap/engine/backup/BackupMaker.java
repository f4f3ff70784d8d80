package io.everheap.engine.backup;

import io.everheap.backup.Pace;
import io.everheap.engine.BackupSource;
import io.everheap.engine.RegionFile;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.LogHold;
import io.everheap.engine.log.LogLayout;
import io.everheap.error.BackupException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.report.BackupProgress;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Copies the pages and the log of an open heap to a backup. Log segments are copied as soon as they
 * are complete and then released, so a long backup does not fill the log. Used by one thread.
 */
final class BackupMaker {
  private static final int PAGE = HomeLayout.PAGE_SIZE;
  private static final int SLICE = 256; // pages that are copied at once
  private static final long FIRST = HomeLayout.CATALOG_ADDRESS / PAGE; // behind the superblocks

  private final Medium medium;
  private final BackupSource source;
  private final BackupWriter writer;
  private final Pace pace;
  private final BackupProgress progress;
  private final long[] slice = new long[SLICE];
  private int count; // of the pages in the slice
  private long segments;
  private long logBytes; // which the rate does not limit
  private long nextLsn; // of the segments that are not copied yet

  BackupMaker(
      Medium medium, BackupSource source, BackupWriter writer, Pace pace, BackupProgress progress) {
    this.medium = medium;
    this.source = source;
    this.writer = writer;
    this.pace = pace;
    this.progress = progress;
    this.nextLsn = source.start().checkpointLsn();
  }

  /** Copies everything. */
  void run() {
    copyPages(null);
    long end = source.newest();
    source.awaitDurable(end);
    copyLog(end);
  }

  /**
   * Copies everything but the log.
   *
   * @param base the backup since which pages are copied, or null for all pages
   */
  void copyPages(@Nullable UUID base) {
    writer.superblock(source.start().encode());
    if (base == null) {
      copyAll();
    } else {
      copyChanged(base);
    }
    for (String region : RegionFile.names(medium)) {
      String name = RegionFile.PREFIX + region;
      try (MediumFile file = medium.open(name)) {
        long size = file.size();
        writer.file(name, file, size, size, () -> step("regions", 1));
      }
    }
  }

  /** Copies the segments that are complete. */
  void keepUp() {
    copyLog(false);
  }

  /** Copies the rest of the log, which is durable up to an LSN, and ends the backup there. */
  void copyLog(long end) {
    copyLog(true);
    source.log().close(); // the rest takes as long as the disk of the backup
    writer.finish(source.start().checkpointLsn(), end, source.size());
  }

  private void copyAll() {
    long page = FIRST;
    for (long end = pages(); page < end; end = pages()) { // the image may grow meanwhile
      while (page < end && count < SLICE) {
        slice[count++] = page++;
      }
      copy();
      step("pages", (double) page / end);
    }
  }

  private long pages() {
    return source.end() / PAGE;
  }

  private void copyChanged(UUID base) {
    long[] left = {0};
    source.forEachChanged(base, page -> left[0] += page < FIRST ? 0 : 1);
    double total = left[0];
    source.forEachChanged(
        base,
        page -> {
          if (page >= FIRST) {
            slice[count++] = page;
            left[0]--;
          }
          if (count == SLICE) {
            copy();
            step("changed pages", 1 - Math.max(0, left[0] / total)); // others may change meanwhile
          }
        });
    copy();
    step("changed pages", 1);
  }

  /** Copies the pages of the slice; those behind the end of the image have no contents any more. */
  private void copy() {
    long end = pages();
    while (count > 0 && slice[count - 1] >= end) {
      count--;
    }
    if (count > 0) {
      source.read(slice, count, writer.images(count * PAGE));
      writer.pages(slice, count, PAGE);
    }
    count = 0;
  }

  private void step(String what, double part) {
    keepUp(what, part);
    pace.await(writer.size() - logBytes, () -> keepUp(what, part));
  }

  /** Copies what is complete of the log, and lets others that wait for this backup do the same. */
  private void keepUp(String what, double part) {
    copyLog(false);
    progress.update(what, part);
  }

  /** Copies the segments that are complete, and at the end the last one as well. */
  private void copyLog(boolean all) {
    List<LogHold.Piece> pieces = source.log().pieces();
    requireKept();
    for (int i = 0; i < pieces.size(); i++) {
      LogHold.Piece piece = pieces.get(i);
      long next = i + 1 < pieces.size() ? pieces.get(i + 1).first() : Long.MAX_VALUE;
      if (next > nextLsn && (piece.complete() || all)) {
        copyFile(piece, LogLayout.name(segments++));
        requireKept();
        nextLsn = next;
        if (piece.complete()) {
          source.log().advance(next);
        }
      }
    }
  }

  /** Throws if segments were used again before they were copied, or meanwhile. */
  private void requireKept() {
    long lost = source.log().lost();
    if (lost > nextLsn) {
      throw new BackupException(
          "The backup of "
              + medium.location()
              + " was given up: it was written so slowly that the log filled up before a part"
              + " of it was copied (up to LSN "
              + lost
              + "). Transactions never wait for a backup. Write it to a faster place, without a rate"
              + " that is too low, or give the heap a larger log (HeapBuilder.logSize).");
    }
  }

  private void copyFile(LogHold.Piece from, String to) {
    try (MediumFile file = medium.open(from.name())) {
      long before = writer.size();
      writer.file(to, file, from.written(), file.size(), () -> {});
      logBytes += writer.size() - before;
    }
  }
}
