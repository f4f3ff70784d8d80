package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An array of values of one codec that lives in a heap and outlives the process. Its length is
 * fixed when it is made; elements that were never set are null and take no space. Values are copied
 * in and out.
 *
 * <p><b>Immutable</b> arrays get all their elements when they are made, and never change again: see
 * {@link #ofImmutable(Class, List)}. Every method that changes elements then throws {@link
 * UnsupportedOperationException}, through each handle and after each opening of the heap.
 *
 * <p><b>Transactions.</b> A method that changes elements is a transaction of its own, or a part of
 * the one that this thread runs. <b>Reads</b> take no lock; an element is of one commit, streams
 * and the list of {@link #asList} read element by element. For a consistent view over several reads
 * use {@code Heap.read}.
 *
 * <p>Safe for use by many threads. After the array was removed from its heap, every method throws
 * {@link io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @param <E> the type of elements
 * @since 0.9
 */
@Stable
public interface DurableArray<E> extends Structure {
  /**
   * The shape of an array. In a new one all elements are null; one that is found must have the
   * length, or attaching to it throws {@link IllegalArgumentException}.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @param length number of elements
   */
  static <E> Shape<DurableArray<E>> of(Class<E> element, long length) {
    Objects.requireNonNull(element, "element");
    Shape.requireLength(length);
    return new Shape<>("object array", element, length);
  }

  /** The shape of an array with a codec of the caller's choice. */
  static <E> Shape<DurableArray<E>> of(Codec<E> element, long length) {
    Objects.requireNonNull(element, "element");
    Shape.requireLength(length);
    return new Shape<>("object array", element, length);
  }

  /**
   * The shape of an array of structures.
   *
   * @param element shape of the elements
   * @param length number of elements
   */
  static <E> Shape<DurableArray<E>> of(Shape<E> element, long length) {
    Objects.requireNonNull(element, "element");
    Shape.requireLength(length);
    return new Shape<>("object array", element, length);
  }

  /**
   * The shape of an array that is made with these elements and never changes. The array is made in
   * one transaction, whose largest size ({@code HeapBuilder.maxTransaction}) limits the elements.
   *
   * <p>An array that is found must be immutable and have as many elements, or attaching to it
   * throws {@link IllegalArgumentException}; its elements are not compared. The shapes of {@link
   * #of(Class, long)} and {@link #ofAnyLength} also find immutable arrays.
   *
   * @param element class of the elements, as for {@link #of(Class, long)}
   * @param values the elements, which may be null; the list is copied
   */
  static <E> Shape<DurableArray<E>> ofImmutable(
      Class<E> element, List<? extends @Nullable E> values) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("object array", element, copy(values));
  }

  /** The shape of an immutable array with a codec of the caller's choice. */
  static <E> Shape<DurableArray<E>> ofImmutable(
      Codec<E> element, List<? extends @Nullable E> values) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("object array", element, copy(values));
  }

  /**
   * The shape of an immutable array of structures. The array always leads to the same structures,
   * whose contents can change. A structure that is freed is gone from the array's point of view,
   * too: its element throws {@link io.everheap.error.GoneException} when it is used.
   *
   * @param element shape of the elements
   * @param values the structures, made by {@code Heap.create}; elements may be null
   */
  static <E> Shape<DurableArray<E>> ofImmutable(
      Shape<E> element, List<? extends @Nullable E> values) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("object array", element, copy(values));
  }

  private static <E> List<@Nullable E> copy(List<? extends @Nullable E> values) {
    Objects.requireNonNull(values, "values");
    return Collections.unmodifiableList(new ArrayList<@Nullable E>(values));
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  static <E> Shape<DurableArray<E>> ofAnyLength(Class<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("object array", element, Shape.ANY_LENGTH);
  }

  /** Returns the number of elements. */
  long length();

  /** Whether the array was made immutable. */
  boolean isImmutable();

  /**
   * Returns an element, or null.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  @Nullable E get(long index);

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is immutable
   */
  void set(long index, @Nullable E value);

  /** Sets an element and returns the one before. */
  @Nullable E getAndSet(long index, @Nullable E value);

  /** Sets an element if it is equal to the expected one; returns whether it was. */
  boolean compareAndSet(long index, @Nullable E expected, @Nullable E value);

  /**
   * Replaces an element by what a function makes of it and returns that.
   *
   * @param change runs inside the transaction, once
   */
  @Nullable E updateAndGet(long index, UnaryOperator<@Nullable E> change);

  /** Sets all elements, as one transaction. */
  void fill(@Nullable E value);

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  void fill(long from, long to, @Nullable E value);

  /** The elements in order, including null ones; each is read when the stream reaches it. */
  Stream<@Nullable E> stream();

  /**
   * The array as a list of fixed size; its methods that change many elements are one transaction
   * each.
   *
   * @throws IllegalStateException if there are more than {@link Integer#MAX_VALUE} elements
   */
  List<@Nullable E> asList();

  /** Whether the other one is a handle to the same array. */
  @Override
  boolean equals(@Nullable Object other);
}
