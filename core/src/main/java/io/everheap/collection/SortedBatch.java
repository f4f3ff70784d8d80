package io.everheap.collection;

import org.jspecify.annotations.Nullable;

/** Entries that follow one another in a leaf, copied as they were at one moment. */
final class SortedBatch {
  /** Bytes after which a batch ends, though it has at least one entry. */
  private static final int MANY_BYTES = 1 << 16;

  private final long[] keyWords;
  private final long[] valueWords;
  private final @Nullable Encoded[] keys;
  private final @Nullable Encoded[] values;
  private int size;

  private SortedBatch(int capacity, boolean wordKeys, boolean wordValues) {
    this.keyWords = new long[wordKeys ? capacity : 0];
    this.valueWords = new long[wordValues ? capacity : 0];
    this.keys = new Encoded[wordKeys ? 0 : capacity];
    this.values = new Encoded[wordValues ? 0 : capacity];
  }

  /**
   * Copies entries from the one nearest to a key on.
   *
   * @param bound see {@link SortedTree#seek}
   * @param most entries wanted
   */
  static SortedBatch read(
      SortedTree tree,
      @Nullable Encoded bound,
      boolean inclusive,
      boolean descending,
      int most,
      boolean withValues) {
    return tree.read(
        guard -> {
          SortedPath path = new SortedPath();
          if (!tree.seek(bound, inclusive, descending, path, guard)) {
            return new SortedBatch(0, true, true);
          }
          int count = tree.nodes().count(path.leaf());
          int left = descending ? path.at() + 1 : count - path.at();
          return copy(tree, path, descending, Math.min(left, most), withValues, guard);
        });
  }

  private static SortedBatch copy(
      SortedTree tree,
      SortedPath path,
      boolean descending,
      int size,
      boolean withValues,
      Guard guard) {
    SortedEntries entries = tree.entries();
    SortedNodes nodes = tree.nodes();
    boolean wordKeys = entries.wordKeys();
    boolean wordValues = entries.wordValues() || !withValues;
    SortedBatch batch = new SortedBatch(size, wordKeys, wordValues);
    long leaf = path.leaf();
    int step = descending ? -1 : 1;
    int position = path.at();
    long bytes = 0;
    for (int i = 0; i < size && bytes < MANY_BYTES; i++, position += step) {
      int place = nodes.place(leaf, position);
      if (wordKeys) {
        batch.keyWords[i] = nodes.head(leaf, place);
      } else {
        Encoded key = entries.key(leaf, place, guard);
        batch.keys[i] = key;
        bytes += key.length;
      }
      if (withValues) {
        if (wordKeys && wordValues) {
          batch.valueWords[i] = nodes.payload(leaf, place);
        } else {
          Encoded value = entries.value(leaf, place, guard);
          if (wordValues) {
            batch.valueWords[i] = value.word;
          } else {
            batch.values[i] = value;
            bytes += value.length;
          }
        }
      }
      batch.size++;
    }
    return batch;
  }

  int size() {
    return size;
  }

  /** Forgets the entries from an index on. */
  void cut(int newSize) {
    size = newSize;
  }

  Encoded key(int i) {
    return keyWords.length > 0 ? Encoded.ofWord(keyWords[i]) : require(keys[i]);
  }

  Encoded value(int i) {
    return valueWords.length > 0 ? Encoded.ofWord(valueWords[i]) : require(values[i]);
  }

  long keyWord(int i) {
    return keyWords[i];
  }

  long valueWord(int i) {
    return valueWords[i];
  }

  private static Encoded require(@Nullable Encoded encoded) {
    if (encoded == null) {
      throw new IllegalStateException("a batch without values");
    }
    return encoded;
  }
}
