package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;

/**
 * A list that lives in a heap and outlives the process: a {@link List} whose changes are atomic and
 * durable. Elements are copied in and out by their codec; none is null. They are compared with
 * {@code equals}, arrays by their contents, except in {@link #equals} of lists.
 *
 * <p><b>Transactions.</b> A method that changes the list is a transaction of its own, or part of
 * the one that this thread runs: it happens wholly or not at all, also {@link #addAll}, {@link
 * #removeIf}, {@link #replaceAll}, {@link #sort} and {@link #clear}, on views as well. When it
 * returns outside a transaction, it is as durable as the heap's durability says. Functions given to
 * it run inside the transaction; an exception of theirs undoes what that call did and nothing else.
 * They must not change the list, else the call ends in {@link
 * java.util.ConcurrentModificationException} or keeps its own changes only.
 *
 * <p><b>Reads</b> take no lock, wait only for a writer that keeps changing the list, and see the
 * newest commit, which its own caller may still be waiting for to become durable. Iterators,
 * streams and searches go by position: they see what is at a position when they reach it. If
 * elements are inserted or removed before it, they may see an element twice or miss one; for a
 * consistent view over several reads use {@code Heap.read}. An iterator's {@code remove} and {@code
 * set} throw {@link java.util.ConcurrentModificationException} if another element is at its
 * position by then; nothing else fails because of changes.
 *
 * <p><b>Cost.</b> Elements stand in leaves of up to 127 words, in a tree that counts them: any
 * position is found in a few steps, three or four in a list of a million. Adding or removing at the
 * end changes two words, elsewhere about a hundred, however long the list is; the size is known. An
 * element whose codec makes words stands in the leaf, others in a block of their own. Removing all
 * of a large list at once is a short transaction; its space is given back in the background. A list
 * has at most {@link Integer#MAX_VALUE} elements; an encoded element just below 2 GiB.
 *
 * <p>Safe for use by many threads; a view made by {@link #subList} is for one. After the list was
 * removed from its heap, every method throws {@link io.everheap.error.GoneException}; after the
 * heap was closed, {@link io.everheap.error.ClosedException}.
 *
 * @param <E> the type of elements
 * @since 0.9
 */
@Stable
public interface DurableList<E> extends List<E>, RandomAccess, Structure {
  /**
   * The shape of a list with elements of this type.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  static <E> Shape<DurableList<E>> of(Class<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("list", element);
  }

  /** The shape of a list with a codec of the caller's choice. */
  static <E> Shape<DurableList<E>> of(Codec<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("list", element);
  }

  /**
   * The shape of a list whose elements are structures themselves, made by {@code Heap.create}. The
   * list keeps references: removing an element does not free it; {@code Heap.free} does.
   *
   * @param element shape of the elements
   */
  static <E> Shape<DurableList<E>> of(Shape<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("list", element);
  }

  /** The number of elements, in constant time. */
  @Override
  int size();

  /**
   * Replaces an element, as {@link #set} does, but neither copies nor decodes the old one.
   *
   * @param index of the element
   * @param element the new one
   */
  void replace(int index, E element);

  /**
   * Removes an element, as {@link #remove(int)} does, but neither copies nor decodes it.
   *
   * @param index of the element
   */
  void delete(int index);

  /** Late-binding: it covers the elements that there are when it is first used. */
  @Override
  Spliterator<E> spliterator();

  /**
   * A view of a part of this list. It stays right through its own changes, also if they are rolled
   * back; when the list changes its size otherwise, what the view shows is undefined.
   */
  @Override
  List<E> subList(int fromIndex, int toIndex);
}
