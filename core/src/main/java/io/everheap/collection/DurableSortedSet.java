package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.Objects;

/**
 * A sorted set that lives in a heap and outlives the process: a {@link NavigableSet} whose changes
 * are atomic and durable. Elements are copied in and out by their codec and cannot be null.
 *
 * <p>Its order, its transactions, its reads, what it costs and what it throws are those of the keys
 * of a {@link DurableSortedMap}. {@link #addAll}, {@link #removeAll}, {@link #retainAll}, {@link
 * #removeIf} and {@link #clear} are one transaction each. Subsets are views, to which elements of
 * their range can be added.
 *
 * <p>Safe for use by many threads.
 *
 * @param <E> the type of elements
 * @since 0.9
 */
@Stable
public interface DurableSortedSet<E> extends NavigableSet<E>, Structure {
  /**
   * The shape of a set of this type, whose elements have their natural order.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, or a registered
   *     class; it is {@link Comparable}, {@code byte[]}, or has an {@link
   *     io.everheap.codec.OrderedCodec}
   */
  static <E> Shape<DurableSortedSet<E>> of(Class<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("sorted set", element);
  }

  /** The shape of a set of this type, whose elements have an order of the caller's choice. */
  static <E> Shape<DurableSortedSet<E>> of(Class<E> element, KeyOrder<? super E> order) {
    Objects.requireNonNull(element, "element");
    Objects.requireNonNull(order, "order");
    return new Shape<>("sorted set", element, order);
  }

  /**
   * The shape of a set with a codec of the caller's choice, whose elements have their natural
   * order.
   *
   * <p>A codec that is not ordered is refused with {@link IllegalArgumentException} when the
   * structure is opened.
   */
  static <E> Shape<DurableSortedSet<E>> of(Codec<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("sorted set", element);
  }

  /** The shape of a set with a codec and an order of the caller's choice. */
  static <E> Shape<DurableSortedSet<E>> of(Codec<E> element, KeyOrder<? super E> order) {
    Objects.requireNonNull(element, "element");
    Objects.requireNonNull(order, "order");
    return new Shape<>("sorted set", element, order);
  }

  /**
   * The elements that begin with {@code prefix}: a view, like {@link #subSet}.
   *
   * @param prefix a text, or bytes; an empty one begins all elements
   * @throws UnsupportedOperationException if elements are no texts and no bytes in their natural
   *     order
   */
  NavigableSet<E> prefixSet(E prefix);

  /**
   * Moves the elements of {@code tailSet(from)} to another set, which is empty, in one transaction:
   * see {@link DurableSortedMap#moveTailTo}.
   *
   * @param from the least element that moves; it need not be in the set
   * @param target an empty set of the same heap, with elements of the same type in the same order
   * @return the number of elements moved
   * @throws IllegalArgumentException if the target is this set, has elements, belongs to another
   *     heap, or has another order; nothing was moved
   */
  long moveTailTo(E from, DurableSortedSet<E> target);

  /**
   * Returns the number of elements, in constant time.
   *
   * @return the number of the newest commit, or of the running transaction
   */
  long sizeLong();

  /** Adds all of the elements that are not there, in one transaction. */
  @Override
  boolean addAll(Collection<? extends E> elements);
}
