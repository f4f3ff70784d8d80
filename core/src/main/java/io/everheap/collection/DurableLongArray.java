package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * An array of {@code long}s in a heap: see {@link PrimitiveArray}.
 *
 * @since 0.9
 */
@Stable
public interface DurableLongArray extends PrimitiveArray<long[]> {
  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  static Shape<DurableLongArray> ofLength(long length) {
    Shape.requireLength(length);
    return new Shape<>("array", long.class, length);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  static Shape<DurableLongArray> ofAnyLength() {
    return new Shape<>("array", long.class, Shape.ANY_LENGTH);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  static Shape<DurableLongArray> of(long... values) {
    return new Shape<>("array", long.class, values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  static Shape<DurableLongArray> ofImmutable(long... values) {
    return new Shape<>("array", long.class, values.clone(), true);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  long get(long index);

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  void set(long index, long value);

  /** Sets an element and returns the one before, as one transaction. */
  long getAndSet(long index, long value);

  /** Sets an element if it is the expected one; returns whether it was. */
  boolean compareAndSet(long index, long expected, long value);

  /** Adds to an element and returns the one before. */
  long getAndAdd(long index, long delta);

  /**
   * Replaces an element by what a function makes of it and returns that.
   *
   * @param change runs inside the transaction, once
   */
  long updateAndGet(long index, LongUnaryOperator change);

  /** Sets all elements. */
  void fill(long value);

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  void fill(long from, long to, long value);

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  long binarySearch(long key);

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  long binarySearch(long from, long to, long key);

  /** The elements in order; each is read when the stream reaches it. */
  LongStream stream();
}
