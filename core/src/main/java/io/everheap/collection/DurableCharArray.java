package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.stream.IntStream;

/**
 * An array of {@code char}s in a heap: see {@link PrimitiveArray}.
 *
 * @since 0.9
 */
@Stable
public interface DurableCharArray extends PrimitiveArray<char[]> {
  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  static Shape<DurableCharArray> ofLength(long length) {
    Shape.requireLength(length);
    return new Shape<>("array", char.class, length);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  static Shape<DurableCharArray> ofAnyLength() {
    return new Shape<>("array", char.class, Shape.ANY_LENGTH);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  static Shape<DurableCharArray> of(char... values) {
    return new Shape<>("array", char.class, values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  static Shape<DurableCharArray> ofImmutable(char... values) {
    return new Shape<>("array", char.class, values.clone(), true);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  char get(long index);

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  void set(long index, char value);

  /** Sets an element and returns the one before, as one transaction. */
  char getAndSet(long index, char value);

  /** Sets all elements. */
  void fill(char value);

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  void fill(long from, long to, char value);

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  long binarySearch(char key);

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  long binarySearch(long from, long to, char key);

  /** The elements in order; each is read when the stream reaches it. */
  IntStream stream();
}
