package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A priority queue that lives in a heap and outlives the process: a {@link BlockingQueue} without a
 * bound whose head is the least of its elements, and among equal ones the one that was added first.
 * Elements are copied in and out by their codec; none is null. To be found, they are compared with
 * {@code equals}, arrays by their contents.
 *
 * <p><b>Order.</b> That of the elements, which are {@link Comparable} then, or a {@link KeyOrder},
 * whose name the heap keeps: a queue opens only with the order that it was made with.
 *
 * <p><b>Transactions.</b> A method that changes the queue is a transaction of its own, or part of
 * the one that this thread runs: it happens wholly or not at all, also {@link #addAll}, {@link
 * #drainTo}, {@link #removeIf} and {@link #clear}. An element that is taken inside a transaction is
 * back at its place if that is rolled back. The comparator runs inside the transaction; it must not
 * change the queue.
 *
 * <p><b>Waiting.</b> {@link #take} and {@link #poll(long, TimeUnit)} wait as those of {@link
 * DurableDeque} do.
 *
 * <p><b>Reads</b> take no lock, wait only for a writer that keeps changing the queue, and see the
 * newest commit, which its own caller may still be waiting for to become durable. Iterators and
 * streams go from the head on in order, and are weakly consistent: if elements are added or removed
 * meanwhile, they may miss some or see some again; their {@code remove} does nothing if the element
 * is gone.
 *
 * <p><b>Cost.</b> Elements are kept sorted, in leaves of up to 127 words in a tree that counts
 * them. Adding compares with as many elements as the logarithm of the size says, and moves about a
 * hundred words at most in each level of the tree; removing the head changes one word. Removing all
 * of a large queue at once is a short transaction; its space is given back in the background. A
 * queue has at most {@link Integer#MAX_VALUE} elements; an encoded element just below 2 GiB.
 *
 * <p>Safe for use by many threads. After the queue was removed from its heap, every method throws
 * {@link io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @param <E> the type of elements
 * @since 0.9
 */
@Stable
public interface DurablePriorityQueue<E> extends BlockingQueue<E>, Structure {
  /**
   * The shape of a queue of elements in their natural order.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class; it is {@link Comparable}
   */
  static <E> Shape<DurablePriorityQueue<E>> of(Class<E> element) {
    if (!Comparable.class.isAssignableFrom(element)) {
      throw new IllegalArgumentException(element.getName() + " is not Comparable: give a KeyOrder");
    }
    return new Shape<>("priority queue", element);
  }

  /** The shape of a queue of elements in an order of the caller's choice. */
  static <E> Shape<DurablePriorityQueue<E>> of(Class<E> element, KeyOrder<? super E> order) {
    Objects.requireNonNull(element, "element");
    Objects.requireNonNull(order, "order");
    return new Shape<>("priority queue", element, order);
  }

  /** The shape of a queue with a codec of the caller's choice, of elements in natural order. */
  static <E extends Comparable<? super E>> Shape<DurablePriorityQueue<E>> of(Codec<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("priority queue", element);
  }

  /** The shape of a queue with a codec and an order of the caller's choice. */
  static <E> Shape<DurablePriorityQueue<E>> of(Codec<E> element, KeyOrder<? super E> order) {
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(element, "element");
    return new Shape<>("priority queue", element, order);
  }

  /** The comparator that this queue was opened with, or null for the natural order. */
  @Nullable Comparator<? super E> comparator();

  /** The number of elements, in constant time. */
  @Override
  int size();

  /** Whether an element equals this object; it finds one that is there all the time. */
  @Override
  boolean contains(@Nullable Object o);

  /** In the order in which {@link #poll} would return the elements. */
  @Override
  Iterator<E> iterator();

  /** Adds an element; always succeeds. */
  @Override
  boolean offer(E element);

  /** Adds an element; never waits. */
  @Override
  boolean offer(E element, long timeout, TimeUnit unit);

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
   * none leaves this queue.
   */
  @Override
  int drainTo(Collection<? super E> target, int most);
}
