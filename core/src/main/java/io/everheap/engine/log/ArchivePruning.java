package io.everheap.engine.log;

import io.everheap.log.SegmentHeader;
import io.everheap.memory.Medium;
import java.util.UUID;

/** Deletes what no restore from an archive needs any more. */
public final class ArchivePruning {
  private ArchivePruning() {}

  /**
   * Deletes the segments before the one with which a restore begins. What is written by the heap's
   * process meanwhile is newer.
   *
   * @param heap its uuid
   * @param start where the log of the oldest backup begins
   * @return the number of segments that were deleted; 0 if the archive begins later
   */
  public static int deleteBefore(Medium archive, UUID heap, EpochStart start) {
    SegmentCatalog catalog = SegmentCatalog.read(archive, heap);
    SegmentCatalog.Entry first = catalog.covering(start.epoch(), start.lsn());
    if (first == null) {
      return 0;
    }
    SegmentHeader needed = first.requireHeader();
    int deleted = 0;
    for (SegmentCatalog.Entry entry : catalog.entries()) {
      SegmentHeader header = entry.header();
      if (header != null
          && (header.epoch() < needed.epoch()
              || (header.epoch() == needed.epoch() && header.ordinal() < needed.ordinal()))) {
        archive.delete(entry.name());
        deleted++;
      }
    }
    if (deleted > 0) {
      archive.syncDirectory(LogLayout.DIRECTORY);
    }
    return deleted;
  }
}
