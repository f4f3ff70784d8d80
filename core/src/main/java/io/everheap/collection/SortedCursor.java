package io.everheap.collection;

import org.jspecify.annotations.Nullable;

/**
 * Walks over a range of a sorted map in either direction, a batch of entries at a time. Each entry
 * that stays in the map is met exactly once. Used by one thread.
 */
final class SortedCursor {
  /** Entries of the first batch: who looks at the first one only need not wait for more. */
  private static final int FEW = 4;

  private final SortedStore<?, ?> store;
  private final KeyRange range;
  private final boolean descending;
  private final boolean withValues;
  private @Nullable SortedBatch batch;
  private int position;
  private int most = FEW;
  private boolean last;

  SortedCursor(SortedStore<?, ?> store, KeyRange range, boolean descending, boolean withValues) {
    this.store = store;
    this.range = range;
    this.descending = descending;
    this.withValues = withValues;
  }

  /** Moves to the next entry; false when there is none. */
  boolean advance() {
    SortedBatch current = batch;
    if (current != null && ++position < current.size()) {
      return true;
    }
    return !last && load(current);
  }

  private boolean load(@Nullable SortedBatch before) {
    Encoded bound;
    boolean inclusive;
    if (before == null) {
      bound = descending ? range.high() : range.low();
      inclusive = descending ? range.highInclusive() : range.lowInclusive();
    } else {
      bound = before.key(before.size() - 1);
      inclusive = false;
    }
    SortedBatch next =
        SortedBatch.read(store.tree(), bound, inclusive, descending, most, withValues);
    most = SortedLayout.CAPACITY;
    int size = next.size();
    while (size > 0 && isBeyond(next.key(size - 1))) { // mostly not even once
      size--;
      last = true;
    }
    next.cut(size);
    last |= size == 0;
    batch = next;
    position = 0;
    return size > 0;
  }

  private boolean isBeyond(Encoded key) {
    return descending ? range.isTooLow(store, key) : range.isTooHigh(store, key);
  }

  /** The key of the current entry. */
  Encoded key() {
    return current().key(position);
  }

  /** The batch of the current entry, which is at {@link #position}. */
  SortedBatch current() {
    SortedBatch current = batch;
    if (current == null) {
      throw new IllegalStateException("no current entry");
    }
    return current;
  }

  int position() {
    return position;
  }
}
