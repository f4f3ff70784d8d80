package io.everheap.structure.sorted;

import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;

/**
 * How the keys of a tree are compared: by their words, by their bytes, or by a comparator. Searches
 * may be optimistic. Stateless but for what it was made with; thread-safe.
 */
public abstract class KeyComparison {
  final SortedNodes nodes;

  KeyComparison(SortedNodes nodes) {
    this.nodes = nodes;
  }

  /** Less than, equal to, or greater than 0, as the first key is less, equal, or greater. */
  public abstract int compare(Encoded a, Encoded b);

  /** The key at a place of a leaf compared with another one. */
  abstract int compareEntry(long leaf, int place, int skip, Encoded key, Guard guard);

  /** A separator in an inner node compared with a key. */
  abstract int compareSeparator(long node, int place, int skip, Encoded key, Guard guard);

  /** The head of a key in a leaf with this skip. */
  abstract long head(Encoded key, int skip);

  /** A key greater than the first and not greater than the second, as short as can be. */
  abstract Encoded between(Encoded less, Encoded more);

  /** Bytes that all keys from the first to the second begin with. */
  int common(Encoded first, Encoded last) {
    return 0;
  }

  /** The position of a key in a leaf; if it is not there, {@code -1 - position} of the next. */
  int find(long leaf, long info, Encoded key, Guard guard) {
    int skip = SortedLayout.skip(info);
    int low = 0;
    int high = SortedLayout.count(info) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int c = compareEntry(leaf, nodes.place(leaf, middle), skip, key, guard);
      if (c < 0) {
        low = middle + 1;
      } else if (c > 0) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return -1 - low;
  }

  /** The position of the child that a key belongs to. */
  int child(long node, long info, Encoded key, Guard guard) {
    int skip = SortedLayout.skip(info);
    int low = 1;
    int high = SortedLayout.count(info) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (compareSeparator(node, nodes.place(node, middle), skip, key, guard) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return low - 1;
  }
}
