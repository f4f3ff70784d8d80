package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;

/**
 * A hash set that lives in a heap and outlives the process: what {@code
 * ConcurrentHashMap.newKeySet()} is in memory, with changes that are atomic and durable. Elements
 * are copied in and out by their codec; two are the same if their encoded forms are. {@code null}
 * is no element.
 *
 * <p><b>Transactions.</b> A method that changes the set is a transaction of its own, or part of the
 * one that this thread runs: it happens wholly or not at all, also {@link #addAll}, {@link
 * #removeAll}, {@link #retainAll}, {@link #removeIf} and {@link #clear}. When it returns outside a
 * transaction, it is as durable as the heap's durability says; so is the element that an {@link
 * #add} found there.
 *
 * <p><b>Reads</b> take no lock and see the newest commit, which its own caller may still be waiting
 * for to become durable. Iterators, spliterators and streams are weakly consistent: they see each
 * element that stays exactly once, and may or may not see what changes meanwhile. For a consistent
 * view over several reads use {@code Heap.read}.
 *
 * <p><b>Cost.</b> That of a {@link DurableMap} whose values take no space: 32 bytes for an element
 * that is a word, and 8 of a bucket. The table grows by one bucket at a time, so no insert pays for
 * all; it does not shrink, except by {@link #clear}. An encoded element has at most 256 KiB.
 *
 * <p>Safe for use by many threads. After the set was removed from its heap, every method throws
 * {@link io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @param <E> the type of elements
 * @since 0.9
 */
@Stable
public interface DurableSet<E> extends Set<E>, Structure {
  /**
   * The shape of a set.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  static <E> Shape<DurableSet<E>> of(Class<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("set", element);
  }

  /** The shape of a set with a codec of the caller's choice, which must be canonical. */
  static <E> Shape<DurableSet<E>> of(Codec<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("set", element);
  }

  /**
   * Returns the number of elements, in constant time.
   *
   * @return the number of the newest commit, or of the running transaction
   */
  long sizeLong();

  /** Returns {@link #sizeLong}, or {@link Integer#MAX_VALUE} if it is more. */
  @Override
  int size();

  /** Adds all of them or, if one of them is refused, none. */
  @Override
  boolean addAll(Collection<? extends E> added);
}
