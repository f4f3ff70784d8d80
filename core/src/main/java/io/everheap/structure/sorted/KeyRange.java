package io.everheap.structure.sorted;

import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.OrderedHeads;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys from one to another, in their encoded form.
 *
 * @param low null if there is no least key
 * @param high null if there is no greatest key
 */
public record KeyRange(
    @Nullable Encoded low, boolean lowInclusive, @Nullable Encoded high, boolean highInclusive) {
  static final KeyRange ALL = new KeyRange(null, true, null, true);

  boolean isAll() {
    return low == null && high == null;
  }

  boolean isTooLow(SortedStore<?, ?> store, Encoded key) {
    if (low == null) {
      return false;
    }
    int c = store.compare(key, low);
    return c < 0 || (c == 0 && !lowInclusive);
  }

  boolean isTooHigh(SortedStore<?, ?> store, Encoded key) {
    if (high == null) {
      return false;
    }
    int c = store.compare(key, high);
    return c > 0 || (c == 0 && !highInclusive);
  }

  boolean contains(SortedStore<?, ?> store, Encoded key) {
    return !isTooLow(store, key) && !isTooHigh(store, key);
  }

  /** Whether a key can bound a part of this range: exclusively, any key of the closed range can. */
  private boolean canBound(SortedStore<?, ?> store, Encoded key, boolean inclusive) {
    return inclusive
        ? contains(store, key)
        : (low == null || store.compare(key, low) >= 0)
            && (high == null || store.compare(key, high) <= 0);
  }

  /**
   * The part of this range that begins and ends at other keys.
   *
   * @param from null for the beginning of this range
   * @param to null for the end of this range
   * @throws IllegalArgumentException if there is no such part
   */
  KeyRange part(
      SortedStore<?, ?> store,
      @Nullable Encoded from,
      boolean fromInclusive,
      @Nullable Encoded to,
      boolean toInclusive) {
    if (from != null && to != null && store.compare(from, to) > 0) {
      throw new IllegalArgumentException("the first key is greater than the last");
    }
    if ((from != null && !canBound(store, from, fromInclusive))
        || (to != null && !canBound(store, to, toInclusive))) {
      throw new IllegalArgumentException("a key outside of the range of this view");
    }
    return new KeyRange(
        from == null ? low : from,
        from == null ? lowInclusive : fromInclusive,
        to == null ? high : to,
        to == null ? highInclusive : toInclusive);
  }

  /** The part of this range whose keys begin with these bytes. */
  KeyRange prefixed(SortedStore<?, ?> store, Encoded prefix) {
    byte[] next = Arrays.copyOf(OrderedHeads.bytes(prefix), prefix.length);
    int last = next.length - 1;
    while (last >= 0 && next[last] == -1) {
      last--;
    }
    Encoded end = null;
    if (last >= 0) {
      next[last]++;
      end = Encoded.ofBytes(next, last + 1);
    }
    boolean lower = isTooLow(store, prefix);
    boolean higher = end == null || (high != null && store.compare(end, high) > 0);
    KeyRange range =
        new KeyRange(
            lower ? low : prefix,
            lower ? lowInclusive : true,
            higher ? high : end,
            higher && highInclusive);
    return range;
  }
}
