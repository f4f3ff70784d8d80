package io.everheap.journal;

import io.everheap.memory.Closing;
import java.util.LinkedHashMap;

/** Keeps the most recently used segments mapped, and indexes of some more. Bounded; thread-safe. */
final class SegmentCache implements AutoCloseable {
  private static final int PINNED = 8;
  private static final int INDEXED = 256;

  private final LinkedHashMap<Segment, Boolean> pinned = new LinkedHashMap<>(16, 0.75f, true);
  private final LinkedHashMap<Segment, SparseIndex> indexes = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  /** The index of a segment. */
  synchronized SparseIndex index(Segment segment) {
    SparseIndex index = indexes.computeIfAbsent(segment, SparseIndex::new);
    if (indexes.size() > INDEXED) {
      indexes.remove(indexes.keySet().iterator().next());
    }
    return index;
  }

  /** Keeps a segment, which the caller has pinned, mapped until others displace it. */
  synchronized void keep(Segment segment) {
    if (closed || pinned.get(segment) != null || !segment.pin()) {
      return;
    }
    pinned.put(segment, true);
    if (pinned.size() > PINNED) {
      Segment eldest = pinned.keySet().iterator().next();
      pinned.remove(eldest);
      eldest.unpin();
    }
  }

  /** Drops a segment that is gone, or of which a part is gone. */
  synchronized void drop(Segment segment) {
    indexes.remove(segment);
    if (pinned.remove(segment) != null) {
      segment.unpin();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    Closing closing = new Closing();
    pinned.keySet().forEach(segment -> closing.then(segment::unpin));
    pinned.clear();
    indexes.clear();
    closing.end();
  }
}
