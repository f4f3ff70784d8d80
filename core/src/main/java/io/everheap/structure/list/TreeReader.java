package io.everheap.structure.list;

import io.everheap.codec.WordCodec;
import io.everheap.collection.Undecodable;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.ValueStore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a {@link WordTree}: one by one, or a batch at a time for iterators. Takes no
 * lock; inside a transaction it sees what that stored. Thread-safe.
 */
public final class TreeReader<T> {
  private final WordTree tree;
  private final ValueStore<T> values;
  private final OptimisticReads reads;
  private final Transactions tx;
  private final Stripes stripes;

  public TreeReader(StructureContext heap, WordTree tree, ValueStore<T> values) {
    this.tree = tree;
    this.values = values;
    this.tx = heap.transactions();
    this.stripes = heap.stripes();
    this.reads = new OptimisticReads(heap.memory(), tx);
  }

  private <R extends @Nullable Object> R read(OptimisticReads.Attempt<R> attempt) {
    return reads.read(new Guard(stripes, tree.stripe()), attempt);
  }

  /** The number of values. */
  public long size() {
    return read(
        guard -> {
          tree.checkAlive();
          return Damage.requireCount(tree.memory(), tree.header(), tree.size());
        });
  }

  /** The value at an index, or null if there is none. */
  public @Nullable T get(long index) {
    WordCodec<T> codec = values.word();
    int stripe = tree.stripe();
    for (int i = 0; codec != null && i < OptimisticReads.ATTEMPTS && !tx.isWriter(); i++) {
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        Thread.onSpinWait();
        continue;
      }
      long word;
      try {
        word = tree.wordAt(tree.near(), index, null);
      } catch (RuntimeException e) {
        break; // the general way reports why
      }
      if (stripes.valid(stripe, version)) {
        tx.checkRead();
        return values.decode(word, index);
      }
    }
    return decode(
        index,
        read(
            guard -> {
              tree.checkAlive();
              boolean there = index >= 0 && index < tree.size();
              return there ? values.load(tree.wordAt(null, index, guard), guard) : Encoded.NOTHING;
            }));
  }

  /** The last value, or null if there is none. */
  public @Nullable T last() {
    long[] at = {-1};
    Encoded last =
        read(
            guard -> {
              tree.checkAlive();
              at[0] = tree.size() - 1;
              return at[0] >= 0
                  ? values.load(tree.wordAt(null, at[0], guard), guard)
                  : Encoded.NOTHING;
            });
    return decode(at[0], last);
  }

  private @Nullable T decode(long index, Encoded value) {
    return value == Encoded.NOTHING ? null : values.decodeAt(index, value);
  }

  /**
   * A batch with the value at an index, or null if there is none. Inside a transaction it has one
   * value, since the transaction may change the next one before it is asked for.
   *
   * @param forward whether the values after it are wanted next, and not those before it
   */
  public @Nullable TreeBatch batch(long index, boolean forward) {
    int most = tx.isWriter() ? 1 : values.isWord() ? TreeLayout.LEAF_WORDS : TreeBatch.CELLS;
    long version = stripes.sample(tree.stripe());
    Supplier<TreeBatch> empty = () -> new TreeBatch(index, 0, 0);
    TreeBatch batch =
        read(
            guard -> {
              tree.checkAlive();
              if (index < 0 || index >= tree.size()) {
                return empty.get();
              }
              WordTree.Path path = new WordTree.Path();
              tree.find(index, path, guard);
              int first = forward ? path.position : Math.max(0, path.position + 1 - most);
              int end = forward ? Math.min(path.count, path.position + most) : path.position + 1;
              TreeBatch read = new TreeBatch(path.start + first, end - first, version);
              read.load(tree, path, first, values, guard);
              return read;
            });
    return batch.count() == 0 ? null : batch;
  }

  /**
   * The index at which a word is now, the one nearest to where it was; -1 if it is gone.
   *
   * @param most how far to look
   */
  public long find(long word, long index, long most) {
    return read(
        guard -> {
          tree.checkAlive();
          long size = tree.size();
          for (long d = 0; d <= most && (d <= index || index + d < size); d++) {
            for (long i = index - d; i <= index + d; i += Math.max(1, 2 * d)) {
              if (i >= 0 && i < size && tree.wordAt(null, i, guard) == word) {
                return i;
              }
            }
            if ((d & 0xff) == 0xff) {
              guard.check();
            }
          }
          return -1L;
        });
  }

  /** The version of what the tree holds. */
  public long version() {
    return stripes.sample(tree.stripe());
  }

  /** Whether nothing was committed to the tree since it had a version. */
  public boolean isStill(long version) {
    return (version & 1) == 0 && stripes.valid(tree.stripe(), version);
  }

  /** Whether what a batch says is still so, as far as this thread can know. */
  public boolean isCurrent(TreeBatch batch) {
    return !tx.isWriter() && stripes.valid(tree.stripe(), batch.version());
  }

  /** Whether this thread runs a transaction. */
  boolean isWriter() {
    return tx.isWriter();
  }

  /** A value of a batch. */
  public T value(TreeBatch batch, long index) {
    return values.decodeAt(index, batch.value(index));
  }

  /** Describes a value of a batch if it does not decode, else null. */
  public @Nullable Undecodable failure(TreeBatch batch, long index, long position) {
    return values.failure(position, batch.value(index));
  }
}
