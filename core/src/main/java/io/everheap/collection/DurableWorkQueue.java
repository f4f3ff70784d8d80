package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A queue of work that lives in a heap and outlives the process. A worker does not take an element
 * out: it <em>leases</em> it for some time, in which no other worker gets it, and acknowledges it
 * when the work is done. Until then the element is in the queue, so no crash loses it. Elements are
 * copied in and out by their codec; none is null.
 *
 * <p><b>Leases</b> end when they are acknowledged or released, when their time is up, and when the
 * process ends: a heap belongs to one process, so none of its workers is left, and the next process
 * gets all elements that the dead one had leased at once, whatever time they had left. So the time
 * is that of the process alone, and setting the system's clock moves no lease.
 *
 * <p>A worker that is slower than its lease may find that another one got the element as well: work
 * is done at least once. Its acknowledgement fails then, and fails the transaction that it is part
 * of. So what a worker stores in the transaction that acknowledges is stored exactly once for each
 * element.
 *
 * <p><b>Order.</b> First in, first out. Elements that came back, for whatever reason, go before
 * those that were never leased, the one that came back first at the head. One that keeps coming
 * back would keep the others waiting: {@link Lease#release(Duration)} puts it off, {@link
 * Lease#attempt} says how often it was tried. Iterators see all elements in the order in which they
 * were added.
 *
 * <p><b>Transactions.</b> A method that changes the queue is a transaction of its own, or part of
 * the one that this thread runs. If that is rolled back, what was leased in it is not leased, what
 * was acknowledged in it is still there and leased as before.
 *
 * <p><b>Space.</b> A lease takes some bytes of the heap. In one that is full, {@link
 * io.everheap.error.FullException} refuses further leases until one that there is was acknowledged:
 * leave room below {@code maxSize}, or remove elements by {@link #clear}.
 *
 * <p><b>Waiting.</b> {@link #lease(Duration)} and {@link #tryLease(Duration, Duration)} wait
 * without holding anything of the heap's, until an element is added, released, or its lease ends.
 * Inside a transaction they throw {@link IllegalStateException} where they would have to wait. When
 * the heap is closed, threads that wait get {@link io.everheap.error.ClosedException}; when the
 * queue is removed, {@link io.everheap.error.GoneException}.
 *
 * <p><b>Reads</b> take no lock, wait only for a writer that keeps changing the queue, and see the
 * newest commit, which its own caller may still be waiting for to become durable. Iterators and
 * streams are weakly consistent.
 *
 * <p><b>Cost.</b> Adding changes two words. To lease and to acknowledge are a commit each; they
 * take time logarithmic in the number of elements that are leased, and move about a hundred words
 * at most. Workers that commit at the same time share the wait for the disk, and several elements
 * can be leased in one transaction.
 *
 * <p>Safe for use by many threads. After the queue was removed from its heap, every method throws
 * {@link io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @param <E> the type of elements
 * @since 0.9
 */
@Stable
public interface DurableWorkQueue<E> extends Iterable<E>, Structure {
  /**
   * The shape of a queue.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  static <E> Shape<DurableWorkQueue<E>> of(Class<E> element) {
    return new Shape<>("work queue", element);
  }

  /** The shape of a queue with a codec of the caller's choice. */
  static <E> Shape<DurableWorkQueue<E>> of(Codec<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("work queue", element);
  }

  /**
   * The shape of a queue whose elements are structures themselves, made by {@code Heap.create}. The
   * queue keeps references: acknowledging an element does not free it; {@code Heap.free} does.
   *
   * @param element shape of the elements
   */
  static <E> Shape<DurableWorkQueue<E>> of(Shape<E> element) {
    Objects.requireNonNull(element, "element");
    return new Shape<>("work queue", element);
  }

  /** The number of elements that were not acknowledged, leased or not; in constant time. */
  int size();

  /** Whether there is no element: all that were added were acknowledged. */
  boolean isEmpty();

  /** How many elements cannot be leased now: others have leased them, or they were put off. */
  int leased();

  /** Iterates over all elements, leased or not, in the order in which they were added. */
  @Override
  Iterator<E> iterator();

  /** All elements, leased or not, in the order in which they were added. */
  Stream<E> stream();

  /** Adds an element. */
  void add(E element);

  /** Adds all elements, in one transaction. */
  void addAll(Collection<? extends E> elements);

  /** Removes all elements, leased or not. The leases are lost. */
  void clear();

  /**
   * Leases the next element, if there is one now.
   *
   * @param duration of the lease, above zero
   * @return the lease, or null if every element is leased or put off, or there is none
   */
  @Nullable Lease<E> tryLease(Duration duration);

  /**
   * Leases the next element, and waits for one if there is none.
   *
   * @param duration of the lease, above zero
   * @param timeout how long to wait
   * @return the lease, or null if the time was up
   * @throws InterruptedException if this thread was interrupted; it leased nothing then
   * @throws IllegalStateException if this thread runs a transaction and would have to wait
   */
  @Nullable Lease<E> tryLease(Duration duration, Duration timeout) throws InterruptedException;

  /**
   * Leases the next element, and waits for one for as long as it takes.
   *
   * @param duration of the lease, above zero
   * @throws InterruptedException if this thread was interrupted; it leased nothing then
   * @throws IllegalStateException if this thread runs a transaction and would have to wait
   */
  Lease<E> lease(Duration duration) throws InterruptedException;
}
