package io.everheap.engine.log;

import io.everheap.error.ForeignException;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One walk through the parts of an epoch from its origin: through the segments first, then through
 * the parts behind their end in the ring. Stops at the first byte that does not validate; {@link
 * LogTailCheck} decides whether that is a torn tail or damage. Used by one thread.
 */
final class LogWalk {
  /** Receives each part that validates, including pads, from the origin on. */
  interface Visitor {
    /**
     * A part that validates.
     *
     * @param image of the file, valid during the call
     * @param at offset of the part in the image
     * @param field the length field of the part
     * @param lsn of the part
     */
    void part(LogImage image, int at, int field, long lsn);
  }

  private final LogOrigin origin;
  private final SegmentCatalog catalog;
  private final Visitor visitor;
  private final PartCheck check;
  private final Set<String> walked = new LinkedHashSet<>();

  private SegmentCatalog.Entry entry; // the present segment, or the last one
  private long lsn; // of the next part
  private int chain;
  private int offset; // of the next part, or of a batch header that does not validate
  private long segmentEnd; // the LSN at which the segments ended
  private long batchLsn; // of the newest batch in the segment
  private int batchOffset;
  private long batchEnd; // the LSN at which that batch should end
  private long lastLsn; // of the newest part
  private int lastOffset; // of the newest part in the last segment, -1 if it has none

  LogWalk(LogOrigin origin, SegmentCatalog catalog, Visitor visitor) {
    this.origin = origin;
    this.catalog = catalog;
    this.visitor = visitor;
    this.check = new PartCheck(origin.key());
    SegmentCatalog.Entry covering = catalog.covering(origin.epoch(), origin.lsn());
    if (covering == null) {
      throw origin.corrupt(
          LogLayout.DIRECTORY,
          0,
          "no log segment of epoch " + origin.epoch() + " covers LSN " + origin.lsn());
    }
    this.entry = covering;
  }

  /** Walks through the segments. */
  void walkSegments() {
    LogImage image = null;
    try {
      while (true) {
        LogImage old = image;
        image = null;
        image = LogImage.read(origin.medium(), entry.name(), entry.size(), old);
        walk(image);
        if (lsn >= origin.until()) {
          break;
        }
        SegmentCatalog.Entry next =
            catalog.find(origin.epoch(), entry.requireHeader().ordinal() + 1);
        if (next == null || !continues(next.requireHeader())) {
          break;
        }
        entry = next;
      }
    } finally {
      if (image != null) {
        image.close();
      }
    }
    segmentEnd = lsn;
    if (lsn < origin.lsn()) {
      throw origin.corrupt(
          entry.name(),
          offset,
          "the log ends at LSN " + lsn + ", but the last checkpoint was made at " + origin.lsn());
    }
  }

  private boolean continues(SegmentHeader next) {
    return lsn >= origin.lsn()
        && next.first() == lsn
        && next.chain() == chain
        && next.alignment() == entry.requireHeader().alignment();
  }

  private void walk(LogImage image) {
    SegmentHeader header = entry.requireHeader();
    if (header.version() != LogLayout.FORMAT_VERSION) {
      throw ForeignException.version(
          origin.medium().location() + "/" + entry.name(),
          header.version(),
          LogLayout.FORMAT_VERSION);
    }
    walked.add(entry.name());
    lsn = header.first();
    chain = header.chain();
    batchLsn = lsn;
    batchEnd = lsn;
    batchOffset = SegmentLayout.START;
    lastOffset = -1;
    if (header.alignment() == LogLayout.DIRECT) {
      walkDirect(header, image);
    } else {
      walkBatches(header, image);
    }
  }

  private void walkDirect(SegmentHeader header, LogImage image) {
    long start = SegmentLayout.START;
    if (origin.lsn() > lsn) {
      start += origin.lsn() - lsn;
      lsn = origin.lsn();
      chain = origin.chain();
    }
    offset = (int) Math.min(start, header.size());
    if (start > header.size()) {
      lsn = header.first() + header.size() - SegmentLayout.START;
      return;
    }
    requireOrigin();
    walkParts(image, header.size());
  }

  private void walkBatches(SegmentHeader header, LogImage image) {
    ByteBuffer b = image.bytes();
    long at = SegmentLayout.START;
    requireOrigin();
    while (at < header.size() && lsn < origin.until()) {
      offset = (int) at;
      if (!continuesWith(b, offset, header)) {
        return;
      }
      int length = b.getInt(offset + BatchLayout.LENGTH);
      batchLsn = lsn;
      batchOffset = offset;
      batchEnd = lsn + length;
      offset += BatchLayout.HEADER_SIZE;
      int end = offset + length;
      if (batchEnd <= origin.lsn() && followed(b, at, length, header)) {
        lsn = batchEnd;
        chain = b.getInt((int) at + (int) BatchLayout.size(length) + BatchLayout.CHAIN);
        requireOrigin();
      } else {
        walkParts(image, end);
        if (lsn != batchEnd) {
          return;
        }
      }
      at += BatchLayout.size(length);
    }
    offset = (int) header.size();
  }

  /** Whether there is a batch header at {@code at} that continues the walk. */
  private boolean continuesWith(ByteBuffer b, int at, SegmentHeader header) {
    int length = b.getInt(at + BatchLayout.LENGTH);
    return BatchLayout.isOf(b, at, origin.key(), header)
        && b.getLong(at + BatchLayout.START_LSN) == lsn
        && b.getInt(at + BatchLayout.CHAIN) == chain
        && length > 0
        && length % PartLayout.ALIGNMENT == 0
        && length <= header.size() - at - BatchLayout.HEADER_SIZE;
  }

  /** Whether the next batch is behind this one, so that this one need not be read. */
  private boolean followed(ByteBuffer b, long at, int length, SegmentHeader header) {
    long next = at + BatchLayout.size(length);
    return next < header.size()
        && BatchLayout.valid(b, (int) next, origin.key(), origin.epoch())
        && b.getLong((int) next + BatchLayout.START_LSN) == lsn + length;
  }

  private void walkParts(LogImage image, long end) {
    while (offset < end && lsn < origin.until()) {
      int field = check.field(image.bytes(), offset, end, lsn, chain);
      if (field == 0) {
        return;
      }
      accept(image, field);
    }
  }

  private void accept(LogImage image, int field) {
    int at = offset;
    if (lsn >= origin.lsn()) {
      visitor.part(image, at, field, lsn);
    }
    lastLsn = lsn;
    lastOffset = at;
    chain = image.bytes().getInt(at);
    offset += PartLayout.length(field);
    lsn += PartLayout.length(field);
    requireOrigin();
  }

  /** Throws if the chain at the LSN of the checkpoint is not that of the checkpoint. */
  private void requireOrigin() {
    boolean stepsOver = lsn > origin.lsn() && lastOffset >= 0 && lastLsn < origin.lsn();
    if ((lsn == origin.lsn() && chain != origin.chain()) || stepsOver) {
      throw origin.corrupt(
          entry.name(),
          offset,
          "the record before LSN " + origin.lsn() + " is not the one that the checkpoint saw");
    }
  }

  /** Continues in the ring, if it belongs to this epoch and was not lost. */
  void walkRing() {
    if (entry.requireHeader().alignment() != LogLayout.BATCHES) {
      return;
    }
    try (LogImage ring = RingFile.read(origin)) {
      if (ring == null) {
        return;
      }
      long capacity = ring.memory().byteSize() - RingLayout.DATA;
      long maxLsn = lsn + capacity;
      while (lsn < maxLsn) {
        offset = RingLayout.DATA + (int) (lsn % capacity);
        int field = check.field(ring.bytes(), offset, RingLayout.DATA + capacity, lsn, chain);
        if (field == 0) {
          return;
        }
        accept(ring, field);
      }
    }
  }

  /** The LSN behind the newest part that validates. */
  long end() {
    return lsn;
  }

  /** The LSN at which the segments ended. */
  long segmentEnd() {
    return segmentEnd;
  }

  /** The last segment. */
  SegmentCatalog.Entry segment() {
    return entry;
  }

  /** Offset in the last segment at which the walk stopped; valid before {@link #walkRing}. */
  int offset() {
    return offset;
  }

  /** LSN of the newest batch of the last segment; the LSN of the segment if it has none. */
  long batchLsn() {
    return batchLsn;
  }

  /** Offset of that batch in the segment. */
  int batchOffset() {
    return batchOffset;
  }

  /** Bytes of the newest batch that do not validate. */
  long tornBytes() {
    return Math.max(0, batchEnd - segmentEnd);
  }

  /** LSN of the newest part. */
  long lastLsn() {
    return lastLsn;
  }

  /** Offset of the newest part in the last segment; negative if it has none. */
  int lastOffset() {
    return lastOffset;
  }

  /** Names of the segments that were read. */
  Set<String> walked() {
    return walked;
  }
}
