package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.stream.DoubleStream;

/**
 * An array of {@code double}s in a heap: see {@link PrimitiveArray}.
 *
 * @since 0.9
 */
@Stable
public interface DurableDoubleArray extends PrimitiveArray<double[]> {
  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  static Shape<DurableDoubleArray> ofLength(long length) {
    Shape.requireLength(length);
    return new Shape<>("array", double.class, length);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  static Shape<DurableDoubleArray> ofAnyLength() {
    return new Shape<>("array", double.class, Shape.ANY_LENGTH);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  static Shape<DurableDoubleArray> of(double... values) {
    return new Shape<>("array", double.class, values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  static Shape<DurableDoubleArray> ofImmutable(double... values) {
    return new Shape<>("array", double.class, values.clone(), true);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  double get(long index);

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  void set(long index, double value);

  /** Sets an element and returns the one before, as one transaction. */
  double getAndSet(long index, double value);

  /** Sets all elements. */
  void fill(double value);

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  void fill(long from, long to, double value);

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  long binarySearch(double key);

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  long binarySearch(long from, long to, double key);

  /** The elements in order; each is read when the stream reaches it. */
  DoubleStream stream();
}
