package io.everheap.structure.deque;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.ValueStore;
import io.everheap.structure.list.TreeBatch;
import org.jspecify.annotations.Nullable;

/** Reads the values of a deque: at the ends, or a chunk at a time for iterators. Thread-safe. */
public final class DequeReader<T> {
  private final DequeChunks chunks;
  private final DequeSearch search;
  private final ValueStore<T> values;
  private final OptimisticReads reads;
  private final Transactions tx;
  private final Stripes stripes;

  public DequeReader(StructureContext heap, DequeChunks chunks, ValueStore<T> values) {
    this.chunks = chunks;
    this.values = values;
    this.tx = heap.transactions();
    this.stripes = heap.stripes();
    this.reads = new OptimisticReads(heap.memory(), tx);
    this.search = new DequeSearch(chunks, new Guard(stripes, chunks.stripe()).exclusive());
  }

  private <R extends @Nullable Object> R read(OptimisticReads.Attempt<R> attempt) {
    return reads.read(new Guard(stripes, chunks.stripe()), attempt);
  }

  public long size() {
    return read(
        guard -> {
          chunks.checkAlive();
          return Damage.requireCount(chunks.memory(), chunks.header(), chunks.size());
        });
  }

  /** The value at an end, or null if there is none. */
  public @Nullable T end(boolean front) {
    Encoded found =
        read(
            guard -> {
              chunks.checkAlive();
              return chunks.size() > 0
                  ? values.load(front ? chunks.first() : chunks.last(), guard)
                  : Encoded.NOTHING;
            });
    return found == Encoded.NOTHING ? null : values.decode(found);
  }

  /**
   * The next values from a position on: those of one chunk, or one value inside a transaction.
   *
   * @param from ascending: the least position wanted; descending: the greatest
   * @param hint a chunk that may have the position, or is near it
   * @param other another one that is near it, in case the first one is freed
   */
  public DequeBatch batch(long from, boolean ascending, long hint, long other) {
    int most = tx.isWriter() ? 1 : values.isWord() ? DequeLayout.CHUNK_PLACES : TreeBatch.CELLS;
    long version = stripes.sample(chunks.stripe());
    return read(
        guard -> {
          chunks.checkAlive();
          DequeBatch batch = new DequeBatch(version, most);
          if (chunks.size() > 0) {
            fill(batch, from, ascending, hint, other, guard);
          }
          return batch;
        });
  }

  private void fill(DequeBatch batch, long from, boolean up, long hint, long other, Guard guard) {
    long head = chunks.head();
    long tail = chunks.tail();
    long position = up ? Math.max(from, head) : Math.min(from, tail - 1);
    if (position < head || position >= tail) {
      return;
    }
    long chunk = search.find(position, up, hint, other, guard);
    while (chunk != Reference.NULL && batch.count() == 0) {
      long base = chunks.base(chunk);
      long dead = chunks.dead(chunk);
      long start = up ? Math.max(position, base) : Math.min(position, base + 63);
      long step = up ? 1 : -1;
      for (long p = start; p >= base && p < base + 64 && !batch.isFull(); p += step) {
        boolean inside = p >= head && p < tail;
        if (inside && (dead & DequeLayout.bit(p)) == 0) {
          long word = chunks.memory().getLong(DequeLayout.place(chunk, p));
          batch.add(chunk, p, word, values, guard);
        }
      }
      if (batch.count() == 0) {
        chunk = search.follow(chunk, up, guard);
      }
    }
  }

  /** The chunk with an element at a position, for the writer; 0 if there is no element. */
  public long locate(long position, long hint) {
    return search.locate(position, hint);
  }

  /** Whether what a batch says is still so, as far as this thread can know. */
  public boolean isCurrent(DequeBatch batch) {
    return !tx.isWriter() && stripes.valid(chunks.stripe(), batch.version());
  }
}
