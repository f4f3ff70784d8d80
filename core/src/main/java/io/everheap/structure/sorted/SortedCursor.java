package io.everheap.structure.sorted;

import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a range of a sorted map in either direction, a batch of entries at a time. Each entry
 * that stays in the map is met exactly once. Used by one thread.
 */
final class SortedCursor {
  /** Entries of the first batch: few, for callers that look at the first entry only. */
  private static final int FEW = 4;

  private static final int ATTEMPTS = 3;

  private final SortedStore<?, ?> store;
  private final KeyRange range;
  private final boolean descending;
  private final SortedBatch batch;
  private final @Nullable SortedSpot spot; // if there is a way that is faster than the general one
  private @Nullable Encoded before; // the last key of the batch before
  private int position = -1; // in the batch; before its first entry when it was just loaded
  private int most;
  private boolean last;

  SortedCursor(SortedStore<?, ?> store, KeyRange range, boolean descending, boolean withValues) {
    this.store = store;
    this.range = range;
    this.descending = descending;
    this.batch = new SortedBatch(store.tree().entries(), withValues);
    this.spot = store.spot();
    boolean words = spot != null && store.hasOnlyWords();
    this.most = words ? SortedLayout.CAPACITY : FEW; // they are copied at once, however many
  }

  /** Whether there is a next entry. */
  boolean hasNext() {
    return position + 1 < batch.size() || load();
  }

  /** Moves to the next entry; false when there is none. */
  boolean advance() {
    if (hasNext()) {
      position++;
      return true;
    }
    return false;
  }

  /** Moves behind all entries of the batch of the next one; false when there is none. */
  boolean skipBatch() {
    if (hasNext()) {
      position = batch.size() - 1;
      return true;
    }
    return false;
  }

  /** Moves to a place of the current batch. */
  void stand(int place) {
    position = place;
  }

  private boolean load() {
    int size = batch.size();
    if (size > 0) {
      before = batch.key(size - 1);
      batch.cut(0);
    }
    position = -1;
    if (last) {
      return false;
    }
    if (spot == null || !loadFast(spot)) {
      loadGenerally();
    }
    requireProgress();
    most = Math.min(4 * most, SortedLayout.CAPACITY);
    return batch.size() > 0;
  }

  /**
   * Checks that the batch leads away from the one before. In a damaged tree, whose keys are out of
   * order, a walk would meet the same keys for ever.
   */
  private void requireProgress() {
    Encoded passed = before;
    int size = batch.size();
    if (passed != null && size > 0) {
      int c = store.compare(batch.key(size - 1), passed);
      if (descending ? c >= 0 : c <= 0) {
        throw Damage.at(store.tree().header(), "the keys of a sorted map are out of order");
      }
    }
  }

  private boolean loadFast(SortedSpot from) {
    if (store.isWriter()) {
      from.forget();
      return false;
    }
    store.beforeRead();
    boolean loaded = false;
    try {
      for (int i = 0; i < ATTEMPTS && !loaded; i++) {
        loaded = load(from);
        if (!loaded) {
          from.forget();
        }
      }
    } catch (RuntimeException e) { // the general way reports why
      from.forget();
      return false;
    }
    if (loaded) {
      store.checkRead();
    }
    return loaded;
  }

  private boolean load(SortedSpot from) {
    if (from.isSomewhere()) {
      from.resume();
      if (!from.settle(descending)) {
        return false;
      }
    } else if (!from.seek(bound(), isInclusive(), descending)) {
      return false;
    }
    if (!from.isSomewhere()) {
      batch.cut(0);
      last = true;
      return true;
    }
    int at = from.position();
    int left = descending ? at + 1 : from.count() - at;
    int within = within(from, at, left);
    if (within == 0) {
      batch.cut(0);
      last = true;
      return from.holds();
    }
    int step = descending ? -1 : 1;
    if (!batch.read(from, store.tree().memory(), at, step, Math.min(within, most))) {
      return false;
    }
    last = batch.size() == within && within < left;
    from.setPosition(at + step * batch.size());
    return true;
  }

  /** How many of the entries from a position to the end of the leaf are in the range. */
  private int within(SortedSpot from, int at, int left) {
    Encoded end = descending ? range.low() : range.high();
    if (end == null || isWithin(from, at, left - 1, end)) {
      return left;
    }
    int low = 0;
    int high = left - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isWithin(from, at, middle, end)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isWithin(SortedSpot from, int at, int i, Encoded end) {
    if (descending) {
      int c = from.compare(at - i, end);
      return range.lowInclusive() ? c >= 0 : c > 0;
    }
    int c = from.compare(at + i, end);
    return range.highInclusive() ? c <= 0 : c < 0;
  }

  private @Nullable Encoded bound() {
    return before != null ? before : descending ? range.high() : range.low();
  }

  private boolean isInclusive() {
    return before == null && (descending ? range.highInclusive() : range.lowInclusive());
  }

  private void loadGenerally() {
    last = false;
    batch.read(store.tree(), bound(), isInclusive(), descending, most);
    int size = batch.size();
    while (size > 0 && isBeyond(batch.key(size - 1))) { // mostly not even once
      size--;
      last = true;
    }
    batch.cut(size);
    last |= size == 0;
  }

  private boolean isBeyond(Encoded key) {
    return descending ? range.isTooLow(store, key) : range.isTooHigh(store, key);
  }

  /** Whether this thread runs a transaction. */
  boolean isWriter() {
    return store.isWriter();
  }

  /** How many entries there are from the next one on; then it is at the end. */
  long count() {
    long count = 0;
    while (hasNext()) {
      count += batch.size() - 1 - position;
      position = batch.size() - 1;
    }
    return count;
  }

  /** The key of the current entry, also after {@link #hasNext}. */
  Encoded key() {
    Encoded key = position < 0 ? before : batch.key(position);
    if (key == null) {
      throw new IllegalStateException("no entry yet");
    }
    return key;
  }

  /** The batch of the current entry, which is at {@link #position}. */
  SortedBatch batch() {
    return batch;
  }

  int position() {
    return position;
  }
}
