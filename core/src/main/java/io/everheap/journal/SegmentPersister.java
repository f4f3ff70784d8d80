package io.everheap.journal;

import io.everheap.log.SegmentLayout;
import java.util.function.Consumer;

/**
 * Makes what was stored to segments durable, in the order of their records, and hands over those
 * that are full. Used by the leader of the group commit, or while no other thread appends.
 */
final class SegmentPersister {
  private final int endSize;
  private final Consumer<OpenSegment> finished;
  private OpenSegment segment;
  private long durable; // offset in the segment

  /**
   * Begins behind the header of a segment, which is durable.
   *
   * @param endSize of the mark behind the last record of a full segment, in bytes
   * @param finished is told of each segment that is durable as a whole
   */
  SegmentPersister(OpenSegment first, int endSize, Consumer<OpenSegment> finished) {
    this.segment = first;
    this.endSize = endSize;
    this.finished = finished;
    this.durable = SegmentLayout.START;
  }

  /** Continues behind the header of another segment, which is durable. */
  void restart(OpenSegment other) {
    segment = other;
    durable = SegmentLayout.START;
  }

  /** Makes everything durable up to a position. */
  void persistTo(long end) {
    long ordinal = RecordLayout.ordinal(end);
    while (segment.ordinal() != ordinal) {
      OpenSegment full = segment;
      OpenSegment following = full.next();
      if (following == null) {
        throw new IllegalStateException("no segment follows " + full.ordinal());
      }
      full.persist(durable, full.segment().endOffset() + endSize);
      restart(following);
      finished.accept(full);
    }
    long to = RecordLayout.offset(end);
    if (to > durable) {
      segment.persist(durable, to);
      durable = to;
    }
  }

  /** The oldest segment that is not durable as a whole. */
  OpenSegment segment() {
    return segment;
  }
}
