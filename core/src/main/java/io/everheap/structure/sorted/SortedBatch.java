package io.everheap.structure.sorted;

import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.memory.Region;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.NodeLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries that follow one another, copied as they were at one moment: words in their order, and the
 * bytes of keys and values behind one another. Decoded when asked for. Filled again and again by
 * one thread.
 */
public final class SortedBatch {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bytes after which a batch ends, though it has at least one entry. */
  private static final int MANY_BYTES = 1 << 16;

  /** What is worth a loop of loads and stores, and not a copy. */
  private static final int FEW_BYTES = 128;

  /** The same of places of a leaf. */
  private static final int FEW_PLACES = 8;

  private static final int ORDER_WORDS = SortedLayout.CAPACITY / 8;
  private static final int LEAF_WORDS = ORDER_WORDS + 2 * SortedLayout.CAPACITY;
  private static final long[] NO_WORDS = {};
  private static final byte[] NO_BYTES = {};
  private static final int[] NO_INTS = {};
  private static final Encoded[] NONE = {};

  private final SortedEntries entries;
  private final boolean wordKeys;
  private final boolean wordValues;
  private final boolean withValues;

  /** Entries in this batch. */
  private int size;

  private long[] leaf = NO_WORDS; // a copy of what follows the first word of one

  // Keys that are words, and what stands beside them; of other keys, what leads to their entries.
  private long[] keyWords = NO_WORDS;
  private long[] valueWords = NO_WORDS;

  // Of entries that are bytes: where each begins, and the lengths of its key and its value.
  private byte[] bytes = NO_BYTES;
  private int[] starts = NO_INTS;
  private long[] lengths = NO_WORDS;
  private long[] sources = NO_WORDS;

  // What the general way found, in place of that.
  private @Nullable Encoded[] keys = NONE;
  private @Nullable Encoded[] values = NONE;

  public SortedBatch(SortedEntries entries, boolean withValues) {
    this.entries = entries;
    this.wordKeys = entries.wordKeys();
    this.wordValues = entries.wordValues();
    this.withValues = withValues;
  }

  public int size() {
    return size;
  }

  /** Forgets the entries from an index on. */
  public void cut(int newSize) {
    size = newSize;
  }

  // ---- Filling it ---------------------------------------------------------------------------

  /**
   * Copies entries of a leaf.
   *
   * @param from position of the first one
   * @param by 1, or -1 for those before it
   * @param most entries wanted, at least one; there are so many
   * @return false if the leaf changed meanwhile, or if the general way must be taken
   */
  public boolean read(SortedSpot spot, HeapMemory memory, int from, int by, int most) {
    size = 0;
    keys = NONE;
    values = NONE;
    Region region = spot.region();
    reserve(most);
    if (most <= (wordKeys ? 1 : FEW_PLACES)) {
      readPlaces(region, spot.at(), from, by, most);
    } else if (!readLeaf(region, spot.at(), from, by, most)) {
      return false;
    }
    size = most;
    boolean onlyWords = wordKeys && (wordValues || !withValues);
    if (!onlyWords && !readBytes(spot, memory, most)) {
      return false;
    }
    return spot.holds();
  }

  private boolean readLeaf(Region region, long at, int from, int by, int most) {
    if (leaf.length == 0) {
      leaf = new long[LEAF_WORDS];
    }
    long[] words = leaf;
    region.copyTo(at + SortedLayout.ORDER, words, 0, LEAF_WORDS);
    long beyond = 0; // high bits of bytes that are not below the capacity
    for (int i = 0; i < ORDER_WORDS; i++) {
      long order = words[i];
      beyond |= order | (order + (0x80 - SortedLayout.CAPACITY) * 0x0101_0101_0101_0101L);
    }
    if ((beyond & 0x8080_8080_8080_8080L) != 0) {
      return false;
    }
    long[] keysHere = keyWords;
    long[] valuesHere = valueWords;
    for (int i = 0, position = from; i < most; i++, position += by) {
      int place = (int) (words[position >>> 3] >>> ((position & 7) << 3)) & 0xff;
      if (wordKeys) {
        keysHere[i] = words[ORDER_WORDS + place];
      }
      valuesHere[i] = words[ORDER_WORDS + SortedLayout.CAPACITY + place];
    }
    return true;
  }

  private void readPlaces(Region region, long at, int from, int by, int most) {
    for (int i = 0, position = from; i < most; i++, position += by) {
      int place = SortedSearch.place(region, at, position);
      if (wordKeys) {
        keyWords[i] = SortedSearch.head(region, at, place);
      }
      valueWords[i] = SortedSearch.payload(region, at, place);
    }
  }

  private void reserve(int most) {
    if (valueWords.length < most) {
      int room = most <= FEW_PLACES ? most : SortedLayout.CAPACITY;
      keyWords = wordKeys ? new long[room] : NO_WORDS;
      valueWords = new long[room];
    }
  }

  /** Copies what the payloads of places lead to: entries, or cells if keys are words. */
  private boolean readBytes(SortedSpot spot, HeapMemory memory, int most) {
    if (starts.length < most) {
      starts = new int[most];
      lengths = new long[most];
      sources = new long[most];
    }
    int found = wordKeys ? findCells(most) : findEntries(memory, most);
    if (!spot.holds()) {
      return false; // lengths are trusted from here on
    }
    int total = 0;
    int n = 0;
    while (n < found) {
      int needed = needed(lengths[n]);
      if (needed < 0 || total + needed > MANY_BYTES) {
        break;
      }
      starts[n++] = total;
      total += needed;
    }
    size = n;
    if (bytes.length < total) {
      bytes = new byte[most == 1 ? total : Math.max(total, 2 * bytes.length)];
    }
    copy(memory, n, total);
    return n > 0;
  }

  /** Says where the cells of values are; returns how many there are before one of parts. */
  private int findCells(int most) {
    for (int i = 0; i < most; i++) {
      long cell = valueWords[i];
      if (entries.cellType(cell) != BlockType.VALUE_CELL) {
        return i;
      }
      lengths[i] = NodeLayout.lengths(0, entries.cellBytes(cell));
      sources[i] = Reference.payload(cell);
    }
    return most;
  }

  /** Says where entries are. Most lie in one extent, which is looked up once. */
  private int findEntries(HeapMemory memory, int most) {
    long start = -1;
    Region near = null;
    for (int i = 0; i < most; i++) {
      long entry = NodeLayout.node(valueWords[i]);
      if (near == null || memory.extentStart(entry) != start) {
        start = memory.extentStart(entry);
        near = memory.extent(entry);
      }
      lengths[i] = near.getLong(entry - start + NodeLayout.LENGTHS);
      sources[i] = entry + NodeLayout.KEY;
    }
    return most;
  }

  /** Bytes to copy of an entry with these lengths; -1 if it is none for this way. */
  private int needed(long both) {
    int key = NodeLayout.keyBytes(both);
    int value = !withValues ? 0 : wordValues ? Long.BYTES : NodeLayout.valueBytes(both);
    return key < 0 || key > NodeLayout.MAX_KEY_BYTES || value < 0 || value > MANY_BYTES
        ? -1
        : NodeLayout.pad(key) + NodeLayout.pad(value);
  }

  /** Copies the first {@code n} entries; where the next one begins, each one ends. */
  private void copy(HeapMemory memory, int n, int total) {
    byte[] to = bytes;
    long start = -1;
    Region near = null;
    for (int i = 0; i < n; i++) {
      int first = starts[i];
      int end = i + 1 < n ? starts[i + 1] : total;
      if (first == end) {
        continue; // the block, and its extent, may end here
      }
      long source = sources[i];
      if (near == null || memory.extentStart(source) != start) {
        start = memory.extentStart(source);
        near = memory.extent(source);
      }
      long at = source - start;
      if (end - first > FEW_BYTES) {
        near.copyTo(at, to, first, end - first);
        continue;
      }
      for (; first < end; first += Long.BYTES, at += Long.BYTES) {
        WORD.set(to, first, near.getLong(at));
      }
    }
  }

  /**
   * Copies entries from the one nearest to a key on, in the general way.
   *
   * @param bound see {@link SortedTree#seek}
   * @param most entries wanted
   */
  public void read(
      SortedTree tree, @Nullable Encoded bound, boolean inclusive, boolean descending, int most) {
    size = 0; // what another way left does not count, also if this one throws
    size =
        tree.read(
            guard -> {
              SortedPath path = new SortedPath();
              if (!tree.seek(bound, inclusive, descending, path, guard)) {
                return 0;
              }
              int count = tree.nodes().count(path.leaf());
              int left = descending ? path.at() + 1 : count - path.at();
              return copy(tree.nodes(), path, descending, Math.min(left, most), guard);
            });
  }

  private int copy(SortedNodes nodes, SortedPath path, boolean descending, int most, Guard guard) {
    boolean onlyWords = wordKeys && (wordValues || !withValues);
    if (wordKeys) {
      reserve(most);
    }
    keys = new Encoded[wordKeys ? 0 : most];
    values = new Encoded[onlyWords || !withValues ? 0 : most];
    long node = path.leaf();
    int step = descending ? -1 : 1;
    int position = path.at();
    long copied = 0;
    int n = 0;
    for (; n < most && copied < MANY_BYTES; n++, position += step) {
      int place = nodes.place(node, position);
      if (wordKeys) {
        keyWords[n] = nodes.head(node, place);
        valueWords[n] = nodes.payload(node, place);
      } else {
        Encoded key = entries.key(node, place, guard);
        keys[n] = key;
        copied += key.length;
      }
      if (withValues && !onlyWords) {
        Encoded value = entries.value(node, place, guard);
        values[n] = value;
        copied += value.length;
      }
    }
    return n;
  }

  // ---- What it holds ------------------------------------------------------------------------

  /** The key, if keys are words. */
  public long keyWord(int i) {
    return keyWords[i];
  }

  /** The value, if keys and values are words. */
  public long valueWord(int i) {
    return valueWords[i];
  }

  public Encoded key(int i) {
    if (wordKeys) {
      return Encoded.ofWord(keyWord(i));
    }
    Encoded key = keys.length > i ? keys[i] : null;
    if (key != null) {
      return key;
    }
    int start = starts[i];
    int length = NodeLayout.keyBytes(lengths[i]);
    return Encoded.ofBytes(Arrays.copyOfRange(bytes, start, start + length), length);
  }

  public <K> K key(int i, Coding<K> coding) {
    if (keys.length > 0) {
      return coding.decode(key(i));
    }
    return coding.decode(bytes, starts[i], NodeLayout.keyBytes(lengths[i]));
  }

  /** The value in its stored form. */
  public Encoded value(int i) {
    if (wordKeys && wordValues) {
      return Encoded.ofWord(valueWord(i));
    }
    if (values.length > 0) {
      Encoded value = values[i];
      if (value == null) {
        throw new IllegalStateException("a batch without values");
      }
      return value;
    }
    long both = lengths[i];
    int start = starts[i] + (wordKeys ? 0 : NodeLayout.pad(NodeLayout.keyBytes(both)));
    if (wordValues) {
      return Encoded.ofWord((long) WORD.get(bytes, start));
    }
    int length = NodeLayout.valueBytes(both);
    return Encoded.ofBytes(Arrays.copyOfRange(bytes, start, start + length), length);
  }

  public <V> V value(int i, Coding<V> coding) {
    if (values.length > 0) {
      Encoded value = values[i];
      if (value == null) {
        throw new IllegalStateException("a batch without values");
      }
      return coding.decode(value);
    }
    long both = lengths[i];
    int start = starts[i] + (wordKeys ? 0 : NodeLayout.pad(NodeLayout.keyBytes(both)));
    return wordValues
        ? coding.decode((long) WORD.get(bytes, start))
        : coding.decode(bytes, start, NodeLayout.valueBytes(both));
  }
}
