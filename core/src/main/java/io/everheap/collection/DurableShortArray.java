package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.stream.IntStream;

/**
 * An array of {@code short}s in a heap: see {@link PrimitiveArray}.
 *
 * @since 0.9
 */
@Stable
public interface DurableShortArray extends PrimitiveArray<short[]> {
  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  static Shape<DurableShortArray> ofLength(long length) {
    Shape.requireLength(length);
    return new Shape<>("array", short.class, length);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  static Shape<DurableShortArray> ofAnyLength() {
    return new Shape<>("array", short.class, Shape.ANY_LENGTH);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  static Shape<DurableShortArray> of(short... values) {
    return new Shape<>("array", short.class, values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  static Shape<DurableShortArray> ofImmutable(short... values) {
    return new Shape<>("array", short.class, values.clone(), true);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  short get(long index);

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  void set(long index, short value);

  /** Sets an element and returns the one before, as one transaction. */
  short getAndSet(long index, short value);

  /** Sets all elements. */
  void fill(short value);

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  void fill(long from, long to, short value);

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  long binarySearch(short key);

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  long binarySearch(long from, long to, short key);

  /** The elements in order; each is read when the stream reaches it. */
  IntStream stream();
}
