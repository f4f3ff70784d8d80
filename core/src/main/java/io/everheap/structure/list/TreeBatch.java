package io.everheap.structure.list;

import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.ValueStore;
import java.util.Arrays;

/** Values of a tree that follow one another, as they were at one moment. */
public final class TreeBatch {
  /** Values that are cells in one batch. */
  public static final int CELLS = 32;

  /** A batch ends early if its values have more bytes. */
  private static final long MUCH = 1 << 18;

  private final long from;
  private final long version;
  private final long[] words;
  private Encoded[] cells = {};
  private int first;
  private int end;

  TreeBatch(long from, int count, long version) {
    this.from = from;
    this.version = version;
    this.words = new long[count];
    this.end = count;
  }

  /** Copies what the words of a leaf stand for, the one that was looked for first. */
  void load(
      WordTree tree, WordTree.Path path, int leafPosition, ValueStore<?> values, Guard guard) {
    for (int i = 0; i < words.length; i++) {
      words[i] = tree.memory().getLong(TreeLayout.word(path.leaf, leafPosition + i));
    }
    if (values.isWord()) {
      return;
    }
    guard.check();
    cells = new Encoded[words.length];
    int wanted = path.position - leafPosition;
    long bytes = 0;
    if (wanted == 0) {
      for (int i = 0; i < end; i++) {
        bytes += load(values, i, guard);
        end = bytes > MUCH ? i + 1 : end;
      }
    } else {
      for (int i = wanted; i >= first; i--) {
        bytes += load(values, i, guard);
        first = bytes > MUCH ? i : first;
      }
    }
  }

  private int load(ValueStore<?> values, int i, Guard guard) {
    cells[i] = values.load(words[i], guard);
    return cells[i].length;
  }

  /** Version of the tree's stripe before it was read. */
  long version() {
    return version;
  }

  int count() {
    return end - first;
  }

  public boolean has(long index) {
    return index >= from + first && index < from + end;
  }

  /** The word at an index that the batch has. */
  public long word(long index) {
    return words[(int) (index - from)];
  }

  Encoded value(long index) {
    int i = (int) (index - from);
    return cells.length == 0 ? Encoded.ofWord(words[i]) : cells[i];
  }

  @Override
  public String toString() {
    return from + ": " + Arrays.toString(words);
  }
}
