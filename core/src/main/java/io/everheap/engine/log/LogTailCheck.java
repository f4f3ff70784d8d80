package io.everheap.engine.log;

import io.everheap.log.LogSeed;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;

/**
 * Distinguishes damage from a torn tail: searches for proof that something behind the end of the
 * log was durable. A crash cannot leave such a proof, because each write begins after the previous
 * one is durable. Used by one thread.
 */
final class LogTailCheck {
  /** Bounds the checksums per segment, in multiples of its size; intact segments need few. */
  private static final long BUDGET_FACTOR = 4;

  private final LogOrigin origin;
  private final SegmentCatalog catalog;
  private final String file;
  private final long offset;
  private final long end;
  private final SegmentHeader last;

  /**
   * Creates a check of the end of the segments.
   *
   * @param segment in which the log ends
   * @param offset of the end in that segment
   * @param end LSN of the end
   */
  LogTailCheck(
      LogOrigin origin,
      SegmentCatalog catalog,
      SegmentCatalog.Entry segment,
      long offset,
      long end) {
    this.origin = origin;
    this.catalog = catalog;
    this.file = segment.name();
    this.offset = offset;
    this.end = end;
    this.last = segment.requireHeader();
  }

  /** Throws if something behind the end was durable. */
  void check() {
    for (SegmentCatalog.Entry entry : catalog.entries()) {
      SegmentHeader header = entry.header();
      if (header == null) {
        checkHeaderless(entry);
      } else if (header.epoch() == origin.epoch()) {
        checkSameEpoch(entry, header);
      }
    }
    requireNoLaterEpoch(origin, catalog);
  }

  /** Throws if a segment has records of a later epoch than the origin's. */
  static void requireNoLaterEpoch(LogOrigin origin, SegmentCatalog catalog) {
    for (SegmentCatalog.Entry entry : catalog.entries()) {
      SegmentHeader header = entry.header();
      if (header != null && header.epoch() > origin.epoch()) {
        checkLaterEpoch(origin, entry, header);
      }
    }
  }

  private void checkSameEpoch(SegmentCatalog.Entry entry, SegmentHeader header) {
    if (header.ordinal() > last.ordinal()) {
      throw damaged(entry.name() + " continues the log at LSN " + header.first());
    }
    if (entry.name().equals(file)) {
      try (LogImage image = LogImage.read(origin.medium(), file, entry.size())) {
        if (header.alignment() == LogLayout.BATCHES) {
          checkBatches(file, image.bytes(), SegmentLayout.alignToBlock(offset + 1));
        } else {
          checkParts(image.bytes());
        }
      }
    } else if (header.ordinal() == last.ordinal()) {
      throw damaged(entry.name() + " has the same sequence in the log");
    }
  }

  /** Throws if the header of a batch proves that something behind the end was durable. */
  private void checkBatches(String name, ByteBuffer bytes, long from) {
    for (long at = from; at + BatchLayout.HEADER_SIZE <= bytes.limit(); at += SegmentLayout.BLOCK) {
      int header = (int) at;
      if (BatchLayout.valid(bytes, header, origin.key(), origin.epoch())) {
        long durable = bytes.getLong(header + BatchLayout.DURABLE_LSN);
        if (durable > end) {
          throw damaged(name + " proves at byte " + at + " that LSN " + durable + " was durable");
        }
      }
    }
  }

  /** Throws if there is a part behind the end: it was written after the one before was forced. */
  private void checkParts(ByteBuffer bytes) {
    PartCheck check = new PartCheck(origin.key());
    long budget = BUDGET_FACTOR * bytes.limit();
    for (long at = offset + PartLayout.DIRECT_ALIGNMENT;
        at + PartLayout.DIRECT_ALIGNMENT <= bytes.limit();
        at += PartLayout.DIRECT_ALIGNMENT) {
      long lsn = end + at - offset;
      int position = (int) at;
      if (bytes.getInt(position + PartLayout.POSITION) != PartLayout.position(lsn)) {
        continue;
      }
      budget -= PartLayout.MAX_PART;
      if (budget < 0 || check.field(bytes, position, bytes.limit(), lsn) != 0) {
        throw damaged("a record at byte " + at + " was written after it");
      }
    }
  }

  /**
   * Throws if the contents of a segment prove that its header was lost: a header is durable before
   * any record in its segment.
   */
  private void checkHeaderless(SegmentCatalog.Entry entry) {
    long size = Math.min(entry.size(), LogLayout.MAX_SIZE);
    if (size < SegmentLayout.START + PartLayout.ALIGNMENT) {
      return;
    }
    try (LogImage image = LogImage.read(origin.medium(), entry.name(), size)) {
      ByteBuffer bytes = image.bytes();
      checkBatches(entry.name(), bytes, SegmentLayout.START);
      PartCheck check = new PartCheck(origin.key());
      if (last.alignment() == LogLayout.DIRECT
          && check.field(bytes, SegmentLayout.START, size, end) != 0) {
        throw damaged(entry.name() + " continues the log, but its header is damaged");
      }
    }
  }

  /** Throws if a segment has a record of a later epoch: then a later superblock is missing. */
  private static void checkLaterEpoch(
      LogOrigin origin, SegmentCatalog.Entry entry, SegmentHeader header) {
    try (LogImage image = LogImage.read(origin.medium(), entry.name(), entry.size())) {
      if (beginsWithRecord(image.bytes(), header)) {
        throw origin.corrupt(
            entry.name(),
            SegmentLayout.START,
            "it has records of epoch "
                + header.epoch()
                + ", but the newest superblock names epoch "
                + origin.epoch());
      }
    }
  }

  /** Whether a segment begins with a valid batch or part. */
  static boolean beginsWithRecord(ByteBuffer bytes, SegmentHeader header) {
    long key = LogSeed.key(header.uuid(), header.epoch());
    return header.alignment() == LogLayout.BATCHES
        ? BatchLayout.valid(bytes, SegmentLayout.START, key, header.epoch())
        : new PartCheck(key).field(bytes, SegmentLayout.START, bytes.limit(), header.first()) != 0;
  }

  private RuntimeException damaged(String proof) {
    return origin.corrupt(file, offset, "no record of LSN " + end + " there, but " + proof);
  }
}
