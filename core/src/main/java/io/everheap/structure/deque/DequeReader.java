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
  /** Chunks that an optimistic reader passes before it looks whether it is lost. */
  private static final int MANY = 256;

  private final DequeChunks chunks;
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
  }

  private <R extends @Nullable Object> R read(OptimisticReads.Attempt<R> attempt) {
    return reads.read(new Guard(stripes, chunks.stripe()), attempt);
  }

  public long size() {
    return read(
        guard -> {
          chunks.checkAlive();
          return chunks.size();
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
   * @param hint a chunk that may have the position
   */
  public DequeBatch batch(long from, boolean ascending, long hint) {
    int most = tx.isWriter() ? 1 : values.isWord() ? DequeLayout.CHUNK_PLACES : TreeBatch.CELLS;
    long version = stripes.sample(chunks.stripe());
    return read(
        guard -> {
          chunks.checkAlive();
          DequeBatch batch = new DequeBatch(version, most);
          if (chunks.size() > 0) {
            fill(batch, from, ascending, hint, guard);
          }
          return batch;
        });
  }

  private void fill(DequeBatch batch, long from, boolean up, long hint, Guard guard) {
    long head = chunks.head();
    long tail = chunks.tail();
    long position = up ? Math.max(from, head) : Math.min(from, tail - 1);
    if (position < head || position >= tail) {
      return;
    }
    long chunk = chunks.isChunk(hint, position) ? hint : find(position, up, guard);
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
        chunk = follow(chunk, up, guard);
      }
    }
  }

  /** The chunk of a position, or the next one in that direction; 0 if there is none. */
  private long find(long position, boolean up, Guard guard) {
    long base = DequeLayout.base(position);
    long chunk = up ? chunks.firstChunk() : chunks.lastChunk();
    for (int i = 1; chunk != Reference.NULL; i++) {
      long at = chunks.base(chunk);
      if (up ? at >= base : at <= base) {
        return chunk;
      }
      if (i % MANY == 0) {
        guard.check();
      }
      chunk = follow(chunk, up, guard);
    }
    return chunk;
  }

  /** The next chunk; positions grow on the way, so that every walk ends. */
  private long follow(long chunk, boolean up, Guard guard) {
    long next = up ? chunks.next(chunk) : chunks.previous(chunk);
    if (next != Reference.NULL) {
      long step = chunks.base(next) - chunks.base(chunk);
      if (up ? step <= 0 : step >= 0) {
        guard.check();
        throw Damage.at(Reference.address(next), "the chunks of a deque are out of order");
      }
    }
    return next;
  }

  /** The chunk with an element at a position, for the writer; 0 if there is no element. */
  public long locate(long position, long hint) {
    Guard exclusive = new Guard(stripes, chunks.stripe()).exclusive();
    if (position < chunks.head() || position >= chunks.tail()) {
      return Reference.NULL;
    }
    long chunk = chunks.isChunk(hint, position) ? hint : find(position, true, exclusive);
    boolean there =
        chunk != Reference.NULL
            && chunks.base(chunk) == DequeLayout.base(position)
            && (chunks.dead(chunk) & DequeLayout.bit(position)) == 0;
    return there ? chunk : Reference.NULL;
  }

  /** Whether what a batch says is still so, as far as this thread can know. */
  public boolean isCurrent(DequeBatch batch) {
    return !tx.isWriter() && stripes.valid(chunks.stripe(), batch.version());
  }
}
