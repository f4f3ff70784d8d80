package io.everheap.collection;

import io.everheap.stability.Stable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An element of a {@link DurableWorkQueue} that one worker has to itself for some time. It stays in
 * the queue until it is acknowledged:
 *
 * <pre>{@code
 * try (Lease<Order> lease = orders.lease(Duration.ofMinutes(1))) {
 *   heap.transact(() -> {
 *     invoices.put(lease.element().id(), invoice(lease.element()));
 *     lease.acknowledge();
 *   });
 * }
 * }</pre>
 *
 * <p>A lease whose time is up is as good as before until another worker leases the element. From
 * then on {@link #acknowledge} and {@link #extend} throw {@link
 * io.everheap.error.LeaseLostException}, so what the slower worker did in the same transaction is
 * undone. A lease that was made in a transaction which was rolled back is lost as well.
 *
 * <p>Its methods are transactions of their own, or part of the one that this thread runs. Safe for
 * use by many threads: another one than that which leased the element may acknowledge it.
 *
 * @param <E> the type of elements
 * @since 0.9
 */
@Stable
public interface Lease<E> extends AutoCloseable {
  /**
   * The element.
   *
   * @throws io.everheap.error.CorruptValueException if this program cannot decode it
   */
  E element();

  /**
   * Why the element cannot be decoded, with its stored bytes; null if it can. Such an element is
   * leased and counted as any other: acknowledging removes it, and {@link #release()} and {@link
   * #close} put it off for a second, and twice as long after each further attempt up to 9 minutes,
   * so that workers that do not know of it get the other elements between.
   *
   * <pre>{@code
   * Undecodable refused = lease.undecodable();
   * if (refused != null) {
   *   heap.transact(() -> {
   *     aside.add(refused.bytes());
   *     lease.acknowledge();
   *   });
   * }
   * }</pre>
   */
  @Nullable Undecodable undecodable();

  /**
   * Which attempt at this element it is, from 1 on: how often it was leased since it was added,
   * also by processes that died. It shows which elements keep failing:
   *
   * <pre>{@code
   * if (lease.attempt() > 5) {
   *   heap.transact(() -> {
   *     failed.add(lease.element());
   *     lease.acknowledge();
   *   });
   * }
   * }</pre>
   */
  long attempt();

  /**
   * Removes the element from the queue: it is done.
   *
   * @throws io.everheap.error.LeaseLostException if it was acknowledged or returned before, or
   *     leased by another worker since the time was up
   */
  void acknowledge();

  /**
   * Returns the element to the queue, where it can be leased at once, before all that were never
   * leased.
   *
   * @return false if the lease is over: nothing was changed
   */
  boolean release();

  /**
   * Returns the element to the queue, where it is not seen until some time has passed, or the heap
   * is opened again: so a job that failed does not come back at once.
   *
   * @return false if the lease is over: nothing was changed
   */
  boolean release(Duration delay);

  /**
   * Makes the lease end when so much time has passed from now on, be that later than before or
   * earlier.
   *
   * @param duration above zero
   * @throws io.everheap.error.LeaseLostException if the lease is over
   */
  void extend(Duration duration);

  /** Returns the element to the queue, unless it was acknowledged or the lease is over. */
  @Override
  void close();

  /** Returns the element and the attempt as a text. */
  @Override
  String toString();
}
