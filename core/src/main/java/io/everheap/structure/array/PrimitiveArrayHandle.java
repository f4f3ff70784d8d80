package io.everheap.structure.array;

import io.everheap.collection.PrimitiveArray;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Transactions;
import io.everheap.structure.bytes.ChunkedBytes;
import io.everheap.structure.bytes.ChunkedLayout;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureHandle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * The handle of a {@link PrimitiveArray}. Its length never changes. Reads are optimistic, changes
 * are transactions or parts of the one that the thread runs. Thread-safe.
 */
public abstract class PrimitiveArrayHandle<A> extends StructureHandle implements PrimitiveArray<A> {
  private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

  /** Of an array that was freed: no index is behind it, and what follows says so. */
  static final long NO_LENGTH = Long.MAX_VALUE / 16;

  private final ChunkedBytes chunks;
  private final Transactions tx;
  private final Class<?> element;
  private final int width;
  private final int shift;
  private final long length;

  /** A handle to an array that exists. */
  PrimitiveArrayHandle(StructureContext heap, long reference, Class<?> element, int width) {
    super(heap, reference);
    this.chunks = ChunkedBytes.attachFixed(heap, reference, BlockType.ARRAY_HEADER);
    this.tx = heap.transactions();
    this.element = element;
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

  abstract void sort(A array);

  @SuppressWarnings("unchecked") // A is the class of arrays of such elements
  private A newArray(int size) {
    return (A) Array.newInstance(element, size);
  }

  /** Compares the first elements of two arrays. */
  abstract int compare(A key, A element);

  // ---- Elements -----------------------------------------------------------------------------
  @Override
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
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  final long exchange(long index, LongUnaryOperator change) {
    Objects.checkIndex(index, length);
    boolean ok = false;
    tx.begin();
    try {
      requireMutable();
      long old = chunks.load(index << shift, width);
      long value = change.applyAsLong(old);
      requireMutable(); // the function may have freed or frozen it
      chunks.put(index << shift, value, width);
      ok = true;
      return old;
    } catch (InternalError e) {
      throw tx.faulted(e);
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
    tx.run(
        () -> {
          requireMutable();
          body.run();
        });
  }

  // ---- Many elements ------------------------------------------------------------------------
  @Override
  public final void copyTo(long from, A target, int at, int count) {
    Objects.checkFromIndexSize(from, count, length);
    Objects.checkFromIndexSize(at, count, Array.getLength(target));
    MemorySegment memory = memory(target);
    chunks.read(from << shift, memory, (long) at << shift, (long) count << shift);
    if (SWAP) {
      swap(memory, (long) at << shift, (long) count << shift);
    }
    fromMemory(memory, target);
  }

  @Override
  public final void copyFrom(long to, A source, int at, int count) {
    Objects.checkFromIndexSize(to, count, length);
    Objects.checkFromIndexSize(at, count, Array.getLength(source));
    MemorySegment memory = encoded(source);
    transact(() -> chunks.store(to << shift, memory, (long) at << shift, (long) count << shift));
  }

  @Override
  public final A toArray() {
    requireAlive();
    if (length > Integer.MAX_VALUE - 16) {
      throw new IllegalStateException(length + " elements do not fit into a Java array");
    }
    return toArray(0, length);
  }

  @Override
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

  @Override
  public final void sort() {
    requireAlive();
    sort(0, length);
  }

  @Override
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

  @Override
  public final boolean contentEquals(A other) {
    return length == Array.getLength(other) && memory(toArray()).mismatch(memory(other)) < 0;
  }

  @Override
  public final boolean contentEquals(PrimitiveArray<A> other) {
    if (length != other.length()) {
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
  @Override
  public final void freeze() {
    tx.run(
        () -> {
          chunks.checkAlive();
          chunks.putHeader(ChunkedLayout.FLAGS, chunks.flags() | ChunkedLayout.FROZEN);
        });
  }

  @Override
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
    MemorySegment copy = MemorySegment.ofArray(memory.toArray(ValueLayout.JAVA_BYTE));
    swap(copy, 0, copy.byteSize());
    return copy;
  }

  private void swap(MemorySegment memory, long at, long bytes) {
    var layout = ValueLayout.JAVA_BYTE;
    for (long i = at; i < at + bytes; i += width) {
      for (int b = 0; b < width / 2; b++) {
        byte low = memory.get(layout, i + b);
        memory.set(layout, i + b, memory.get(layout, i + width - 1 - b));
        memory.set(layout, i + width - 1 - b, low);
      }
    }
  }

  @Override
  public final String toString() {
    return getClass().getInterfaces()[0].getSimpleName() // that of the contract
        + "["
        + length
        + " elements at "
        + Reference.describe(chunks.reference)
        + "]";
  }
}
