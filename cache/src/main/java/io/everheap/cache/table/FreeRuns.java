package io.everheap.cache.table;

import java.util.Arrays;

/**
 * The free runs of granules of one segment, by their position; neighbours are joined. Guarded by
 * the cache's lock.
 */
public final class FreeRuns {
  private int[] starts = new int[4];
  private int[] lengths = new int[4];
  private int count;
  private int total;

  /** No free granule. */
  public FreeRuns() {}

  /** All free granules. */
  public int total() {
    return total;
  }

  /** The length of the longest run. */
  public int longest() {
    int longest = 0;
    for (int i = 0; i < count; i++) {
      longest = Math.max(longest, lengths[i]);
    }
    return longest;
  }

  /** Whether a whole range is free. */
  public boolean isFree(int start, int length) {
    int i = floor(start);
    return i >= 0 && (long) starts[i] + lengths[i] >= (long) start + length;
  }

  /**
   * Takes a range out of the shortest run that holds it, of several the highest: from its end, so
   * that the space behind the table is taken last.
   *
   * @return its start; -1 if no run is long enough
   */
  public int take(int length) {
    int best = -1;
    for (int i = count - 1; i >= 0; i--) {
      if (lengths[i] >= length && (best < 0 || lengths[i] < lengths[best])) {
        best = i;
      }
    }
    if (best < 0) {
      return -1;
    }
    total -= length;
    lengths[best] -= length;
    int start = starts[best] + lengths[best];
    if (lengths[best] == 0) {
      delete(best);
    }
    return start;
  }

  /** Takes a range that is free. */
  public void take(int start, int length) {
    int i = floor(start);
    int end = starts[i] + lengths[i];
    total -= length;
    lengths[i] = start - starts[i];
    if (end > start + length) {
      insert(i + 1, start + length, end - start - length);
    }
    if (lengths[i] == 0) {
      delete(i);
    }
  }

  /** Gives a range back. */
  public void give(int start, int length) {
    int i = floor(start);
    if ((i >= 0 && starts[i] + lengths[i] > start)
        || (i + 1 < count && starts[i + 1] < start + length)) {
      throw new IllegalStateException("granules " + start + "+" + length + " are free already");
    }
    total += length;
    boolean joinsBefore = i >= 0 && starts[i] + lengths[i] == start;
    boolean joinsAfter = i + 1 < count && starts[i + 1] == start + length;
    if (joinsBefore) {
      lengths[i] += length + (joinsAfter ? lengths[i + 1] : 0);
      if (joinsAfter) {
        delete(i + 1);
      }
    } else if (joinsAfter) {
      starts[i + 1] = start;
      lengths[i + 1] += length;
    } else {
      insert(i + 1, start, length);
    }
  }

  /** The last run that starts at or before a granule; -1 if there is none. */
  private int floor(int start) {
    int i = Arrays.binarySearch(starts, 0, count, start);
    return i >= 0 ? i : -i - 2;
  }

  private void insert(int i, int start, int length) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    System.arraycopy(starts, i, starts, i + 1, count - i);
    System.arraycopy(lengths, i, lengths, i + 1, count - i);
    starts[i] = start;
    lengths[i] = length;
    count++;
  }

  private void delete(int i) {
    count--;
    System.arraycopy(starts, i + 1, starts, i, count - i);
    System.arraycopy(lengths, i + 1, lengths, i, count - i);
  }
}
