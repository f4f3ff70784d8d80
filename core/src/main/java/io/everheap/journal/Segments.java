package io.everheap.journal;

import java.util.Arrays;
import java.util.List;

/**
 * The segments of a journal, oldest first. Copy-on-write: readers see a consistent array without a
 * lock.
 */
final class Segments {
  private volatile Segment[] all;

  Segments(List<Segment> segments) {
    this.all = segments.toArray(Segment[]::new);
  }

  Segment[] all() {
    return all;
  }

  synchronized void add(Segment segment) {
    Segment[] old = all;
    Segment[] grown = Arrays.copyOf(old, old.length + 1);
    grown[old.length] = segment;
    all = grown;
  }

  /** Removes and returns the oldest ones. */
  synchronized List<Segment> removeFirst(int count) {
    Segment[] old = all;
    all = Arrays.copyOfRange(old, count, old.length);
    return List.of(old).subList(0, count);
  }

  /** Removes and returns the newest ones. */
  synchronized List<Segment> removeLast(int count) {
    Segment[] old = all;
    all = Arrays.copyOf(old, old.length - count);
    return List.of(old).subList(old.length - count, old.length);
  }

  synchronized void replace(List<Segment> segments) {
    all = segments.toArray(Segment[]::new);
  }

  /** The index of the segment that has or will have a sequence; -1 if it is before all. */
  static int find(Segment[] segments, long sequence) {
    int low = 0;
    int high = segments.length;
    while (low < high) { // the last segment that does not begin behind it
      int middle = (low + high) >>> 1;
      if (segments[middle].firstSequence() <= sequence) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }
}
