package io.everheap.journal;

import io.everheap.log.SegmentLayout;
import java.util.Arrays;

/** Remembers where some records of a segment are: at most {@value #MOST} of them. Thread-safe. */
final class SparseIndex {
  private static final int MOST = 1024;

  private final long spacing;
  private long[] sequences = new long[8];
  private int[] offsets = new int[8];
  private int count;

  SparseIndex(Segment segment) {
    this.spacing = Math.max(16 << 10, segment.header().size() / MOST);
    sequences[0] = segment.firstSequence();
    offsets[0] = SegmentLayout.START;
    count = 1;
  }

  /** Remembers a record if it is far behind all that are known. */
  synchronized void add(long sequence, long offset) {
    if (offset - offsets[count - 1] < spacing) {
      return;
    }
    if (count == offsets.length) {
      sequences = Arrays.copyOf(sequences, 2 * count);
      offsets = Arrays.copyOf(offsets, 2 * count);
    }
    sequences[count] = sequence;
    offsets[count] = (int) offset;
    count++;
  }

  /** The number of the last known record that is not behind a sequence. */
  private int floor(long sequence) {
    int found = Arrays.binarySearch(sequences, 0, count, sequence);
    return found >= 0 ? found : -found - 2;
  }

  /** The last known record that is not behind a sequence, as sequence and offset. */
  synchronized long[] before(long sequence) {
    int at = floor(sequence);
    return new long[] {sequences[at], offsets[at]};
  }

  synchronized int size() {
    return count;
  }
}
