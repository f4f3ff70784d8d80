package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.TimeUnit;

/**
 * A double-ended queue that lives in a heap and outlives the process, for work that must not be
 * lost: a {@link BlockingDeque} whose changes are atomic and durable. Elements are copied in and
 * out by their codec; none is null. They are compared with {@code equals}, arrays by their
 * contents.
 *
 * <p><b>Transactions.</b> A method that changes the deque is a transaction of its own, or part of
 * the one that this thread runs: it happens wholly or not at all, also {@link #addAll}, {@link
 * #drainTo}, {@link #removeIf} and {@link #clear}. So an element that is taken inside a transaction
 * is gone if and only if everything else that the transaction did happened; if it is rolled back,
 * or the process dies, the element is back at its place:
 *
 * <pre>{@code
 * heap.transact(() -> {
 *   Order order = incoming.poll();
 *   if (order != null) {
 *     stock.merge(order.item(), -order.number(), Integer::sum);
 *     outgoing.add(order);
 *   }
 * });
 * }</pre>
 *
 * <p><b>Waiting.</b> {@link #take}, {@link #put} and the methods with a timeout wait until a commit
 * adds or removes elements, and hold nothing of the heap meanwhile. The element that one of them
 * returns is removed for good: to take one in a larger transaction, {@link #poll} in it. Inside a
 * transaction they throw {@link IllegalStateException} where they would have to wait, since no
 * other thread could change anything meanwhile. The thread that waits longest need not be served
 * first. When the heap is closed, waiting threads get {@link io.everheap.error.ClosedException};
 * when the deque is removed, {@link io.everheap.error.GoneException}.
 *
 * <p><b>Capacity.</b> A shape can bound the deque: what is added through this handle leaves at most
 * so many elements. The bound is a property of the program and is not kept in the heap.
 *
 * <p><b>Reads</b> take no lock, wait only for a writer that keeps changing the deque, and see the
 * newest commit, which its own caller may still be waiting for to become durable. Iterators and
 * streams are weakly consistent: they see each element that stays exactly once, in order, and may
 * or may not see what changes meanwhile; their {@code remove} does nothing if the element is gone.
 *
 * <p><b>Cost.</b> Elements stand in chunks of 64 words. Adding at an end changes two words,
 * removing there one; the size is known. Removing in between searches, and then changes two words.
 * An element whose codec makes words stands in the chunk, others in a block of their own. Removing
 * all of a large deque at once is a short transaction; its space is given back in the background.
 * An encoded element has just below 2 GiB at most.
 *
 * <p>Safe for use by many threads. After the deque was removed from its heap, every method throws
 * {@link io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @param <E> the type of elements
 * @since 0.9
 */
@Stable
public interface DurableDeque<E> extends BlockingDeque<E>, Structure {
  /**
   * The shape of a deque without a bound.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  static <E> Shape<DurableDeque<E>> of(Class<E> element) {
    return new Shape<>("deque", element, Integer.MAX_VALUE);
  }

  /**
   * The shape of a bounded deque.
   *
   * @param capacity the most elements that what is added through it may leave; above 0
   */
  static <E> Shape<DurableDeque<E>> of(Class<E> element, int capacity) {
    Objects.requireNonNull(element, "element");
    Shape.requireCapacity(capacity);
    return new Shape<>("deque", element, capacity);
  }

  /** The shape of a deque with a codec of the caller's choice. */
  static <E> Shape<DurableDeque<E>> of(Codec<E> element) {
    return new Shape<>("deque", element, Integer.MAX_VALUE);
  }

  /** The shape of a bounded deque with a codec of the caller's choice. */
  static <E> Shape<DurableDeque<E>> of(Codec<E> element, int capacity) {
    Objects.requireNonNull(element, "element");
    Shape.requireCapacity(capacity);
    return new Shape<>("deque", element, capacity);
  }

  /**
   * The shape of a deque whose elements are structures themselves, made by {@code Heap.create}. The
   * deque keeps references: removing an element does not free it; {@code Heap.free} does.
   *
   * @param element shape of the elements
   */
  static <E> Shape<DurableDeque<E>> of(Shape<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("deque", element, Integer.MAX_VALUE);
  }

  /** The number of elements, in constant time. */
  @Override
  int size();

  /** How many elements can be added through this handle now. */
  @Override
  int remainingCapacity();

  /** Adds all elements, or none if there is no room for all. */
  @Override
  boolean addAll(Collection<? extends E> elements);

  /**
   * Waits until there is an element, and leaves it where it is: to be taken in a transaction, which
   * itself could not wait.
   *
   * <pre>{@code
   * while (jobs.awaitElement(1, TimeUnit.MINUTES)) {
   *   heap.transact(() -> {
   *     Job job = jobs.poll(); // null if another thread was faster
   *     if (job != null) {
   *       done.add(job);
   *     }
   *   });
   * }
   * }</pre>
   *
   * @return false if the time was up; true says nothing of elements that other threads take
   *     meanwhile
   * @throws IllegalStateException if this thread runs a transaction and would have to wait
   */
  boolean awaitElement(long timeout, TimeUnit unit) throws InterruptedException;

  /** Waits until there is an element, for as long as it takes, and leaves it where it is. */
  void awaitElement() throws InterruptedException;

  /**
   * Moves elements to another collection, in one transaction: if it is a structure of the same
   * heap, each is in exactly one of them whatever happens. If the other collection refuses one,
   * none leaves this deque.
   */
  @Override
  int drainTo(Collection<? super E> target, int most);
}
