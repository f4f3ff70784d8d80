package io.everheap.engine.alloc;

import java.util.Arrays;

/** A hash map from addresses, which are not 0, to ints. Guarded by the writer lock. */
final class AddressMap {
  private long[] keys = new long[16];
  private int[] values = new int[16];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  int get(long key, int otherwise) {
    int at = find(key);
    return keys[at] == key ? values[at] : otherwise;
  }

  void put(long key, int value) {
    int at = find(key);
    if (keys[at] != key) {
      if (2 * ++size > keys.length) {
        grow();
        at = find(key);
      }
      keys[at] = key;
    }
    values[at] = value;
  }

  /** Removes an entry, if there is one. Allocates nothing. */
  void remove(long key) {
    int hole = find(key);
    if (keys[hole] != key) {
      return;
    }
    int mask = keys.length - 1;
    for (int at = (hole + 1) & mask; keys[at] != 0; at = (at + 1) & mask) {
      if (((at - home(keys[at])) & mask) >= ((at - hole) & mask)) {
        keys[hole] = keys[at];
        values[hole] = values[at];
        hole = at;
      }
    }
    keys[hole] = 0;
    size--;
  }

  /** Removes all entries. Allocates nothing. */
  void clear() {
    if (size > 0) {
      Arrays.fill(keys, 0);
      size = 0;
    }
  }

  private int home(long key) {
    long mixed = (key >>> 4) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & (keys.length - 1);
  }

  private int find(long key) {
    int at = home(key);
    while (keys[at] != key && keys[at] != 0) {
      at = (at + 1) & (keys.length - 1);
    }
    return at;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    int[] newValues = new int[oldKeys.length * 2]; // first: either may fail
    keys = new long[oldKeys.length * 2];
    values = newValues;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int at = find(oldKeys[i]);
        keys[at] = oldKeys[i];
        values[at] = oldValues[i];
      }
    }
  }
}
