package io.everheap.engine.log;

import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Writes the end of a recovered log again, from the newest batch or part on: everything before was
 * durable when that one was written. The bytes at each LSN stay the same, so any mixture of old and
 * new sectors after a crash is valid. Used by one thread.
 */
final class LogPersister {
  private final LogOrigin origin;
  private final LogOptions options;
  private final Set<String> keep;
  private final long end;

  /**
   * Creates a persister.
   *
   * @param keep names of the log's segments; new segments are added to the set
   * @param end the LSN behind the newest complete transaction
   */
  LogPersister(LogOrigin origin, LogOptions options, Set<String> keep, long end) {
    this.origin = origin;
    this.options = options;
    this.keep = keep;
    this.end = end;
  }

  /** Writes the part of the log that the finished walk could not prove to be durable. */
  void persist(LogWalk walk) {
    if (walk.segment().requireHeader().alignment() == LogLayout.DIRECT) {
      persistDirect(walk);
    } else if (walk.batchLsn() < end) {
      persistBatches(walk);
    }
  }

  private void persistBatches(LogWalk walk) {
    SegmentCatalog.Entry entry = walk.segment();
    SegmentHeader header = entry.requireHeader();
    long start = walk.batchLsn();
    try (Arena arena = Arena.ofShared();
        SegmentPool pool = poolOf(header)) {
      MemorySegment tail = arena.allocate(end - start, PartLayout.ALIGNMENT);
      collect(walk, tail);
      RingView view = new RingView(tail, 0, start, end - start);
      Medium medium = origin.medium();
      boolean mapped = medium.byteAddressable();
      LogSegment segment =
          LogSegment.open(medium, entry.name(), (int) entry.size(), mapped, options.durableWrite());
      segment.use(header.ordinal(), header.first());
      BatchWriter.Source further = new Further(pool, header.ordinal(), keep);
      try (BatchWriter writer =
          new BatchWriter(further, origin.uuid(), origin.epoch(), segment, walk.batchOffset())) {
        if (walk.batchOffset() == SegmentLayout.START) {
          writer.rewriteHeader(header.chain());
        }
        long durable = start;
        while (durable < end) {
          durable = writer.write(view, durable, end);
        }
      } finally {
        segment.close();
      }
    }
  }

  /** Supplies free segments, which continue the sequence of the recovered ones. */
  private record Further(SegmentPool pool, long sequence, Set<String> names)
      implements BatchWriter.Source {
    @Override
    public LogSegment roll(long startLsn) {
      pool.requireReady();
      LogSegment segment = pool.roll(startLsn);
      names.add(segment.name());
      segment.use(sequence + segment.sequence(), startLsn);
      return segment;
    }
  }

  private SegmentPool poolOf(SegmentHeader header) {
    boolean mapped = origin.medium().byteAddressable();
    LogOptions same =
        new LogOptions(
            (int) header.size(),
            options.ringSize(),
            Math.max(options.limit(), 2 * header.size()),
            0,
            options.durableWrite(),
            false);
    return new SegmentPool(origin.medium(), same, mapped, keep);
  }

  /** Copies the bytes from the newest batch to the end, from the segment and then the ring. */
  private void collect(LogWalk walk, MemorySegment tail) {
    SegmentCatalog.Entry entry = walk.segment();
    long start = walk.batchLsn();
    long inSegment = Math.min(end, walk.segmentEnd()) - start;
    try (LogImage image = LogImage.read(origin.medium(), entry.name(), entry.size())) {
      long at = walk.batchOffset() + (long) BatchLayout.HEADER_SIZE;
      MemorySegment.copy(image.memory(), at, tail, 0, inSegment);
    }
    if (walk.segmentEnd() < end) {
      try (LogImage ring = RingFile.read(origin)) {
        if (ring == null) {
          throw origin.corrupt(RingLayout.NAME, 0, "it changed while it was being read");
        }
        long capacity = ring.memory().byteSize() - RingLayout.DATA;
        new RingView(ring.memory(), RingLayout.DATA, 0, capacity)
            .copy(walk.segmentEnd(), (int) (end - walk.segmentEnd()), tail, inSegment);
      }
    }
  }

  /** Writes the newest part: each earlier one was forced before the next one was written. */
  private void persistDirect(LogWalk walk) {
    int at = walk.lastOffset();
    if (at < 0 || walk.lastLsn() >= end) {
      return;
    }
    SegmentCatalog.Entry entry = walk.segment();
    Medium medium = origin.medium();
    int length = (int) (walk.end() - walk.lastLsn());
    try (LogImage image = LogImage.read(medium, entry.name(), entry.size())) {
      if (medium.byteAddressable()) {
        try (MediumFile file = medium.open(entry.name());
            Region region = file.map(Mapping.SHARED, 0, entry.size())) {
          region.copyFrom(at, image.memory(), at, length);
          region.force(at, length);
        }
        return;
      }
      long from = at & -SegmentLayout.BLOCK;
      long to = SegmentLayout.alignToBlock(at + length);
      try (MediumFile file = medium.openLog(entry.name(), options.durableWrite())) {
        file.writeDurably(image.bytes().slice((int) from, (int) (to - from)), from);
      }
    }
  }
}
