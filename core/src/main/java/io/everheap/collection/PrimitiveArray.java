package io.everheap.collection;

import io.everheap.stability.Stable;

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
 * {@link io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @param <A> the Java array of such elements
 * @since 0.9
 */
@Stable
public interface PrimitiveArray<A> extends Structure {
  /** Returns the number of elements. */
  long length();

  /**
   * Copies elements to a Java array; all of them are of one commit.
   *
   * @param from index of the first one
   * @param target receives them
   * @param at index of the first one there
   * @param count how many
   * @throws IndexOutOfBoundsException if either is too short; nothing was copied
   */
  void copyTo(long from, A target, int at, int count);

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
  void copyFrom(long to, A source, int at, int count);

  /**
   * Returns a copy of all elements.
   *
   * @throws IllegalStateException if there are more than a Java array holds
   */
  A toArray();

  /**
   * Returns a copy of some elements.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  A toArray(long from, long to);

  /** Sorts all elements as {@code java.util.Arrays.sort} does, in one transaction. */
  void sort();

  /**
   * Sorts some elements as {@code java.util.Arrays.sort} does, in one transaction, which takes
   * their size in memory.
   *
   * @param from index of the first one
   * @param to index behind the last one; at most {@link Integer#MAX_VALUE} further
   */
  void sort(long from, long to);

  /** Whether the elements are those of a Java array, in one commit. */
  boolean contentEquals(A other);

  /** Whether the elements are those of another array. The two are read part by part. */
  boolean contentEquals(PrimitiveArray<A> other);

  /** Makes the array immutable for ever, in the running transaction or one of its own. */
  void freeze();

  /** Whether the array is immutable. */
  boolean isFrozen();

  /** Whether the other one is a handle to the same array; {@link #contentEquals} compares. */
  @Override
  boolean equals(Object other);
}
