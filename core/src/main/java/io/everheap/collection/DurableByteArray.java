package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.stream.IntStream;

/**
 * An array of {@code byte}s in a heap: see {@link PrimitiveArray}.
 *
 * @since 0.9
 */
@Stable
public interface DurableByteArray extends PrimitiveArray<byte[]> {
  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  static Shape<DurableByteArray> ofLength(long length) {
    Shape.requireLength(length);
    return new Shape<>("array", byte.class, length);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  static Shape<DurableByteArray> ofAnyLength() {
    return new Shape<>("array", byte.class, Shape.ANY_LENGTH);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  static Shape<DurableByteArray> of(byte... values) {
    return new Shape<>("array", byte.class, values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  static Shape<DurableByteArray> ofImmutable(byte... values) {
    return new Shape<>("array", byte.class, values.clone(), true);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  byte get(long index);

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  void set(long index, byte value);

  /** Sets an element and returns the one before, as one transaction. */
  byte getAndSet(long index, byte value);

  /** Sets all elements. */
  void fill(byte value);

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  void fill(long from, long to, byte value);

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  long binarySearch(byte key);

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  long binarySearch(long from, long to, byte key);

  /** The elements in order; each is read when the stream reaches it. */
  IntStream stream();
}
