package io.everheap.engine.tx;

import java.util.Arrays;

/**
 * A hash table of copied lines of 64 bytes by line number. One thread adds lines; another one reads
 * them at the same time, but only those whose addition was published to it before. Entries of a
 * table never move; a larger table is another object, which shares the lines.
 */
final class SavedLines {
  private static final int INITIAL = 1 << 10;
  private static final int PART_SHIFT = 10;
  private static final int PART_MASK = (1 << PART_SHIFT) - 1;

  /** Line numbers plus one, open addressing. */
  private final long[] keys;

  private final int[] positions;
  private long[][] parts;
  private int count;

  SavedLines() {
    this(INITIAL, new long[1][], 0);
  }

  private SavedLines(int slots, long[][] parts, int count) {
    this.keys = new long[slots];
    this.positions = new int[slots];
    this.parts = parts;
    this.count = count;
  }

  long count() {
    return count;
  }

  /** This table if it has room for a line; if not, a larger one with the same lines. */
  SavedLines withRoom() {
    int part = count >>> PART_SHIFT;
    if (count < keys.length / 2 && part < parts.length) {
      return this;
    }
    long[][] longer = part < parts.length ? parts : Arrays.copyOf(parts, 2 * part);
    int slots = count < keys.length / 2 ? keys.length : Math.multiplyExact(keys.length, 2);
    SavedLines larger = new SavedLines(slots, longer, count);
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] != 0) {
        larger.put(keys[i], positions[i]);
      }
    }
    return larger;
  }

  private void put(long key, int position) {
    int at = find(key);
    positions[at] = position;
    keys[at] = key;
  }

  private int find(long key) {
    int mask = keys.length - 1;
    int at = (int) ((key * 0x9E37_79B9_7F4A_7C15L) >>> 32) & mask;
    while (keys[at] != key && keys[at] != 0) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** Adds a line; returns the array for its words, which begin at {@link #lastStart}. */
  long[] add(long line) {
    long[] part = parts[count >>> PART_SHIFT];
    if (part == null) {
      part = new long[8 << PART_SHIFT];
      parts[count >>> PART_SHIFT] = part;
    }
    put(line + 1, count++);
    return part;
  }

  /** Index of the first word of the line that was added last. */
  int lastStart() {
    return ((count - 1) & PART_MASK) << 3;
  }

  /** A word of a line. */
  long word(long line, int index) {
    int at = find(line + 1);
    if (keys[at] == 0) {
      return 0; // the snapshot was given up, and this table is empty
    }
    int position = positions[at];
    return parts[position >>> PART_SHIFT][((position & PART_MASK) << 3) + index];
  }
}
