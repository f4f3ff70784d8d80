package io.everheap.collection;

import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.Damage;
import io.everheap.collection.chunk.ChunkedBytes;
import io.everheap.collection.chunk.ChunkedLayout;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Transactions;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * An array of primitive values that lives in a heap and outlives the process. Its length is fixed
 * when it is made and can be far beyond what a Java array holds: elements that were never set are
 * zero and take no space, so making an array of a billion elements is a short transaction.
 *
 * <p><b>Transactions.</b> A method that changes elements is a transaction of its own, or a part of
 * the one that this thread runs: also a copy, a fill and a sort happen wholly or not at all. What
 * one transaction can change at once is limited ({@code HeapBuilder.maxTransaction}); fill larger
 * arrays part by part.
 *
 * <p><b>Reads</b> take no lock. An element, and a copy of any number of them, is of one commit;
 * streams read element by element. For a consistent view over several reads use {@code Heap.read}.
 *
 * <p><b>Frozen</b> arrays never change again.
 *
 * <p>Safe for use by many threads. After the array was removed from its heap, every method throws
 * {@link io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 *
 * @param <A> the Java array of such elements
 */
public abstract sealed class PrimitiveArray<A> implements Structure
    permits DurableBooleanArray,
        DurableByteArray,
        DurableShortArray,
        DurableCharArray,
        DurableIntArray,
        DurableLongArray,
        DurableFloatArray,
        DurableDoubleArray {
  private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

  /** Of an array that was freed: no index is behind it, and what follows says so. */
  static final long NO_LENGTH = Long.MAX_VALUE / 16;

  private final ChunkedBytes chunks;
  private final Transactions tx;
  private final int width;
  private final int shift;
  private final long length;

  /** A handle to an array that exists. */
  PrimitiveArray(Engine engine, long reference, int width) {
    this.chunks = ChunkedBytes.attachFixed(engine, reference, BlockType.ARRAY_HEADER);
    this.tx = engine.transactions();
    this.width = width;
    this.shift = Integer.numberOfTrailingZeros(width);
    this.length = chunks.isDead() ? NO_LENGTH : chunks.length() >>> shift;
    if (!chunks.isDead() && (chunks.flags() & ChunkedLayout.WIDTH) != width) {
      throw Damage.at(chunks.header, "an array whose elements do not have " + width + " bytes");
    }
  }

  // ---- What depends on the type -------------------------------------------------------------

  /** The memory of a Java array. */
  abstract MemorySegment memory(A array);

  abstract A newArray(int size);

  abstract int size(A array);

  abstract void sort(A array);

  /** Compares the first elements of two arrays. */
  abstract int compare(A key, A element);

  static void requireLength(long length) {
    if (length < 0) {
      throw new IllegalArgumentException("an array has 0 elements or more, not " + length);
    }
  }

  // ---- Elements -----------------------------------------------------------------------------

  /** Returns the number of elements. */
  public final long length() {
    requireAlive();
    return length;
  }

  /** Throws if the array was freed before this handle was made. */
  final void requireAlive() {
    if (chunks.isDead()) {
      chunks.checkAlive();
    }
  }

  final long load(long index) {
    Objects.checkIndex(index, length);
    return chunks.get(index << shift, width);
  }

  final void store(long index, long value) {
    Objects.checkIndex(index, length);
    long offset = index << shift;
    if (tx.isWriter()) {
      requireMutable();
      if (chunks.tryPut(offset, value, width)) {
        return;
      }
    }
    boolean ok = false;
    tx.begin();
    try {
      requireMutable();
      chunks.put(offset, value, width);
      ok = true;
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  final long exchange(long index, java.util.function.LongUnaryOperator change) {
    Objects.checkIndex(index, length);
    boolean ok = false;
    tx.begin();
    try {
      requireMutable();
      long old = chunks.load(index << shift, width);
      chunks.put(index << shift, change.applyAsLong(old), width);
      ok = true;
      return old;
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  private void requireMutable() {
    chunks.checkAlive();
    if ((chunks.flags() & ChunkedLayout.FROZEN) != 0) {
      throw new UnsupportedOperationException("the array is frozen");
    }
  }

  private void transact(Runnable body) {
    Atomic.run(
        tx,
        () -> {
          requireMutable();
          body.run();
        });
  }

  // ---- Many elements ------------------------------------------------------------------------

  /**
   * Copies elements to a Java array; all of them are of one commit.
   *
   * @param from index of the first one
   * @param target receives them
   * @param at index of the first one there
   * @param count how many
   * @throws IndexOutOfBoundsException if either is too short; nothing was copied
   */
  public final void copyTo(long from, A target, int at, int count) {
    Objects.checkFromIndexSize(from, count, length);
    Objects.checkFromIndexSize(at, count, size(target));
    MemorySegment memory = memory(target);
    chunks.read(from << shift, memory, (long) at << shift, (long) count << shift);
    if (SWAP) {
      swap(memory, (long) at << shift, (long) count << shift);
    }
    fromMemory(memory, target);
  }

  /**
   * Copies elements of a Java array, as one transaction or as a part of the running one.
   *
   * @param to index of the first one to change
   * @param source of the elements
   * @param at index of the first one there
   * @param count how many
   * @throws IndexOutOfBoundsException if either is too short; nothing was changed
   * @throws UnsupportedOperationException if the array is frozen
   */
  public final void copyFrom(long to, A source, int at, int count) {
    Objects.checkFromIndexSize(to, count, length);
    Objects.checkFromIndexSize(at, count, size(source));
    MemorySegment memory = encoded(source);
    transact(() -> chunks.store(to << shift, memory, (long) at << shift, (long) count << shift));
  }

  /**
   * Returns a copy of all elements.
   *
   * @throws IllegalStateException if there are more than a Java array holds
   */
  public final A toArray() {
    requireAlive();
    if (length > Integer.MAX_VALUE - 16) {
      throw new IllegalStateException(length + " elements do not fit into a Java array");
    }
    return toArray(0, length);
  }

  /**
   * Returns a copy of some elements.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  public final A toArray(long from, long to) {
    Objects.checkFromToIndex(from, to, length);
    A copy = newArray(Math.toIntExact(to - from));
    copyTo(from, copy, 0, (int) (to - from));
    return copy;
  }

  final void fillWith(long from, long to, A pattern) {
    Objects.checkFromToIndex(from, to, length);
    MemorySegment memory = encoded(pattern);
    transact(() -> chunks.store(from << shift, memory, 0, (to - from) << shift));
  }

  /** How many elements a pattern for {@link #fillWith} has. */
  final int patternSize(long from, long to) {
    return (int) Math.min(1024, Math.max(1, to - from));
  }

  /** Sorts all elements as {@code java.util.Arrays.sort} does, in one transaction. */
  public final void sort() {
    requireAlive();
    sort(0, length);
  }

  /**
   * Sorts some elements as {@code java.util.Arrays.sort} does, in one transaction, which takes
   * their size in memory.
   *
   * @param from index of the first one
   * @param to index behind the last one; at most {@link Integer#MAX_VALUE} further
   */
  public final void sort(long from, long to) {
    Objects.checkFromToIndex(from, to, length);
    transact(
        () -> {
          A copy = toArray(from, to);
          sort(copy);
          MemorySegment memory = encoded(copy);
          chunks.store(from << shift, memory, 0, (to - from) << shift);
        });
  }

  /** Searches sorted elements of this array for one; the caller checks the range. */
  final long find(long from, long to, A key) {
    Objects.checkFromToIndex(from, to, length);
    A one = newArray(1);
    long low = from;
    long high = to - 1;
    while (low <= high) {
      long middle = (low + high) >>> 1;
      copyTo(middle, one, 0, 1);
      int order = compare(key, one);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return -(low + 1);
  }

  /** Whether the elements are those of a Java array, in one commit. */
  public final boolean contentEquals(A other) {
    return length == size(other) && memory(toArray()).mismatch(memory(other)) < 0;
  }

  /** Whether the elements are those of another array. The two are read part by part. */
  public final boolean contentEquals(PrimitiveArray<A> other) {
    if (length != other.length) {
      return false;
    }
    for (long from = 0; from < length; from += 8192) {
      long to = Math.min(length, from + 8192);
      if (memory(toArray(from, to)).mismatch(memory(other.toArray(from, to))) >= 0) {
        return false;
      }
    }
    return true;
  }

  // ---- Frozen arrays ------------------------------------------------------------------------

  /** Makes the array immutable for ever, in the running transaction or one of its own. */
  public final void freeze() {
    Atomic.run(
        tx,
        () -> {
          chunks.checkAlive();
          chunks.putHeader(ChunkedLayout.FLAGS, chunks.flags() | ChunkedLayout.FROZEN);
        });
  }

  /** Whether the array is immutable. */
  public final boolean isFrozen() {
    return chunks.reads.read(
        chunks.headerGuard(),
        guard -> {
          chunks.checkAlive();
          return (chunks.flags() & ChunkedLayout.FROZEN) != 0;
        });
  }

  // ---- Memory -------------------------------------------------------------------------------

  /** Takes over what was copied to {@link #memory}, where that is not the array's own. */
  void fromMemory(MemorySegment memory, A target) {}

  private MemorySegment encoded(A source) {
    MemorySegment memory = memory(source);
    if (!SWAP || width == 1) {
      return memory;
    }
    MemorySegment copy =
        MemorySegment.ofArray(memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    swap(copy, 0, copy.byteSize());
    return copy;
  }

  private void swap(MemorySegment memory, long at, long bytes) {
    var layout = java.lang.foreign.ValueLayout.JAVA_BYTE;
    for (long i = at; i < at + bytes; i += width) {
      for (int b = 0; b < width / 2; b++) {
        byte low = memory.get(layout, i + b);
        memory.set(layout, i + b, memory.get(layout, i + width - 1 - b));
        memory.set(layout, i + width - 1 - b, low);
      }
    }
  }

  // ---- Identity -----------------------------------------------------------------------------

  @Override
  public final StructureId id() {
    return new StructureId(chunks.engine, chunks.reference);
  }

  /** Whether the other one is a handle to the same array; {@link #contentEquals} compares. */
  @Override
  public final boolean equals(Object other) {
    return other instanceof PrimitiveArray<?> that && chunks.isSame(that.chunks);
  }

  @Override
  public final int hashCode() {
    return Long.hashCode(chunks.reference);
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName()
        + "["
        + length
        + " elements at "
        + Reference.describe(chunks.reference)
        + "]";
  }
}
