package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * An array of {@code int}s in a heap: see {@link PrimitiveArray}.
 *
 * @since 0.9
 */
@Stable
public interface DurableIntArray extends PrimitiveArray<int[]> {
  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  static Shape<DurableIntArray> ofLength(long length) {
    Shape.requireLength(length);
    return new Shape<>("array", int.class, length);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  static Shape<DurableIntArray> ofAnyLength() {
    return new Shape<>("array", int.class, Shape.ANY_LENGTH);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  static Shape<DurableIntArray> of(int... values) {
    return new Shape<>("array", int.class, values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  static Shape<DurableIntArray> ofImmutable(int... values) {
    return new Shape<>("array", int.class, values.clone(), true);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  int get(long index);

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  void set(long index, int value);

  /** Sets an element and returns the one before, as one transaction. */
  int getAndSet(long index, int value);

  /** Sets an element if it is the expected one; returns whether it was. */
  boolean compareAndSet(long index, int expected, int value);

  /** Adds to an element and returns the one before. */
  int getAndAdd(long index, int delta);

  /**
   * Replaces an element by what a function makes of it and returns that.
   *
   * @param change runs inside the transaction, once
   */
  int updateAndGet(long index, IntUnaryOperator change);

  /** Sets all elements. */
  void fill(int value);

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  void fill(long from, long to, int value);

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  long binarySearch(int key);

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  long binarySearch(long from, long to, int key);

  /** The elements in order; each is read when the stream reaches it. */
  IntStream stream();
}
