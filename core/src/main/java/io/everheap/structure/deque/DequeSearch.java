package io.everheap.structure.deque;

import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Guard;

/**
 * Finds chunks of a deque by positions. Chunks are a linked list, so a search walks. It begins at
 * the nearest chunk that is known: the first one, the last one, or one of the caller's hints.
 *
 * <p>The writer also remembers chunks that it passed on long walks, one for each {@value #STRIDE}
 * chunks, so that elements removed in random order do not cost a long walk each. A remembered chunk
 * may be freed; a search finds that out by its reference.
 *
 * <p>Thread-safe, except for {@link #locate}, which the writer calls.
 */
final class DequeSearch {
  /** Chunks that an optimistic reader passes before it checks whether it is lost. */
  private static final int MANY = 256;

  /** Chunks of which the writer remembers one. */
  private static final int STRIDE = 32;

  private static final int MAX_REMEMBERED = 1 << 16;

  private static final long[] NONE = {Reference.NULL};

  private final DequeChunks chunks;
  private final Guard exclusive;

  /** References of chunks, by the number of their stride; guarded by the writer lock. */
  private long[] remembered = NONE;

  private long steps; // from one chunk to another, by the writer

  /**
   * A search.
   *
   * @param exclusive a guard that always holds, for the writer
   */
  DequeSearch(DequeChunks chunks, Guard exclusive) {
    this.chunks = chunks;
    this.exclusive = exclusive;
  }

  /** Number of steps from one chunk to another that were made with the guard of the writer. */
  long steps() {
    return steps;
  }

  /**
   * The chunk of a position, or the next one in a direction; 0 if there is none.
   *
   * @param hint a chunk that may be near
   * @param other another one
   */
  long find(long position, boolean up, long hint, long other, Guard guard) {
    if (chunks.isChunk(hint, position)) {
      return hint;
    }
    long base = DequeLayout.base(position);
    long start = nearest(base, hint, other);
    return walk(start, base, up, guard);
  }

  /** The chunk with an element at a position, for the writer; 0 if there is no element. */
  long locate(long position, long hint) {
    if (position < chunks.head() || position >= chunks.tail()) {
      return Reference.NULL;
    }
    long chunk = chunks.isChunk(hint, position) ? hint : search(position, hint);
    boolean there =
        chunk != Reference.NULL
            && chunks.base(chunk) == DequeLayout.base(position)
            && (chunks.dead(chunk) & DequeLayout.bit(position)) == 0;
    return there ? chunk : Reference.NULL;
  }

  private long search(long position, long hint) {
    long base = DequeLayout.base(position);
    long start = nearest(base, hint, remembered[slot(base)]);
    long distance = start == Reference.NULL ? 0 : Math.abs(chunks.base(start) - base);
    if (distance <= STRIDE * DequeLayout.CHUNK_PLACES) {
      return walk(start, base, true, exclusive);
    }
    long wanted = (chunks.tail() - chunks.head()) / (STRIDE * DequeLayout.CHUNK_PLACES);
    if (wanted >= remembered.length && remembered.length < MAX_REMEMBERED) {
      int bits = Long.SIZE - Long.numberOfLeadingZeros(wanted);
      remembered = new long[(int) Math.min(1L << bits, MAX_REMEMBERED)];
    }
    boolean up = chunks.base(start) < base;
    long chunk = start;
    for (long at = chunk; at != Reference.NULL && isBefore(at, base, up); ) {
      chunk = at;
      remembered[slot(chunks.base(at))] = at;
      at = follow(at, up, exclusive);
    }
    return walk(chunk, base, true, exclusive);
  }

  private int slot(long base) {
    long stride = Math.floorDiv(base, STRIDE * DequeLayout.CHUNK_PLACES);
    return (int) stride & (remembered.length - 1);
  }

  /**
   * The nearest chunk to a base: the first one, the last one, or one of two others. 0 if the deque
   * has no chunks; the others may be freed.
   */
  private long nearest(long base, long hint, long other) {
    long best = chunks.firstChunk();
    long last = chunks.lastChunk();
    if (best == Reference.NULL || last == Reference.NULL) {
      return best;
    }
    best = nearer(best, last, base);
    best = chunks.isMember(hint) ? nearer(best, hint, base) : best;
    return chunks.isMember(other) ? nearer(best, other, base) : best;
  }

  private long nearer(long chunk, long other, long base) {
    return distance(other, base) < distance(chunk, base) ? other : chunk;
  }

  private long distance(long chunk, long base) {
    return Math.abs(chunks.base(chunk) - base);
  }

  /** The first chunk that is not before a base, seen in a direction. */
  private long walk(long start, long base, boolean up, Guard guard) {
    long chunk = start;
    int steps = 0;
    if (chunk == Reference.NULL || isBefore(chunk, base, up)) {
      while (chunk != Reference.NULL && isBefore(chunk, base, up)) {
        chunk = follow(chunk, up, guard);
        check(++steps, guard);
      }
      return chunk;
    }
    for (long at = chunk; at != Reference.NULL && !isBefore(at, base, up); ) {
      chunk = at;
      at = follow(at, !up, guard);
      check(++steps, guard);
    }
    return chunk;
  }

  private static void check(int steps, Guard guard) {
    if (steps % MANY == 0) {
      guard.check();
    }
  }

  private boolean isBefore(long chunk, long base, boolean up) {
    long at = chunks.base(chunk);
    return up ? at < base : at > base;
  }

  /** The next chunk in a direction; positions grow on the way, so that every walk ends. */
  @SuppressWarnings("ReferenceEquality") // the guard of the writer, not one like it
  long follow(long chunk, boolean up, Guard guard) {
    if (guard == exclusive) {
      steps++;
    }
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
}
