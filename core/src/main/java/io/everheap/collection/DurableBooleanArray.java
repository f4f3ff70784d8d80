package io.everheap.collection;

import io.everheap.stability.Stable;

/**
 * An array of {@code boolean}s in a heap: see {@link PrimitiveArray}.
 *
 * @since 0.9
 */
@Stable
public interface DurableBooleanArray extends PrimitiveArray<boolean[]> {
  /**
   * The shape of an array. A new one is all false; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  static Shape<DurableBooleanArray> ofLength(long length) {
    Shape.requireLength(length);
    return new Shape<>("array", boolean.class, length);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  static Shape<DurableBooleanArray> ofAnyLength() {
    return new Shape<>("array", boolean.class, Shape.ANY_LENGTH);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  static Shape<DurableBooleanArray> of(boolean... values) {
    return new Shape<>("array", boolean.class, values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  static Shape<DurableBooleanArray> ofImmutable(boolean... values) {
    return new Shape<>("array", boolean.class, values.clone(), true);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  boolean get(long index);

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  void set(long index, boolean value);

  /** Sets an element and returns the one before, as one transaction. */
  boolean getAndSet(long index, boolean value);

  /** Sets all elements. */
  void fill(boolean value);

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  void fill(long from, long to, boolean value);
}
