package io.everheap.structure.common;

import io.everheap.engine.HeapContext;
import io.everheap.engine.tx.Transactions;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a queue that go through all of it or wait, each one transaction.
 *
 * @param <E> the type of elements
 */
public abstract class TransactionalQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
  private final Transactions tx;
  private final Blocking blocking;

  /** The queue of a heap, whose waiting threads wait by its reference. */
  protected TransactionalQueue(HeapContext heap, Blocking blocking) {
    this.tx = heap.transactions();
    this.blocking = blocking;
  }

  /** Threads that wait for elements, or for room. */
  protected final Blocking blocking() {
    return blocking;
  }

  /** The number of elements. */
  protected abstract long count();

  /** Removes the head, inside a transaction; null if there is none. */
  protected abstract @Nullable E takeHead();

  /**
   * Removes elements that decode, one by one from the head on, inside a transaction. It does not
   * come back to elements that it passed over.
   */
  protected abstract Supplier<@Nullable E> heads();

  @Override
  public final int size() {
    return (int) Math.min(count(), Integer.MAX_VALUE);
  }

  @Override
  public final boolean isEmpty() {
    return count() == 0;
  }

  @Override
  public final Object[] toArray() {
    return Contents.toArray(this);
  }

  @Override
  public final <T> T[] toArray(T[] array) {
    return Contents.toArray(this, array);
  }

  @Override
  public final Spliterator<E> spliterator() {
    return new IteratorSpliterator<>(
        tx, iterator(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.CONCURRENT);
  }

  @Override
  public final boolean addAll(Collection<? extends E> elements) {
    requireOther(Objects.requireNonNull(elements, "elements"));
    return tx.call(
        () -> {
          boolean changed = false;
          for (E element : elements) {
            changed |= add(element);
          }
          return changed;
        });
  }

  @SuppressWarnings("ReferenceEquality") // the same handle, not an equal one
  private void requireOther(Collection<?> other) {
    if (other == this) {
      throw new IllegalArgumentException("the queue itself");
    }
  }

  @Override
  public final E take() throws InterruptedException {
    E element = poll(Blocking.FOREVER, TimeUnit.NANOSECONDS);
    if (element == null) {
      throw new NoSuchElementException("the queue is empty");
    }
    return element;
  }

  @Override
  public final @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
    return blocking.awaitElement(this::takeHead, unit.toNanos(timeout));
  }

  /** Waits until there is an element, or a time is over; whether there is one. */
  public final boolean awaitElement(long timeout, TimeUnit unit) throws InterruptedException {
    Boolean found = blocking.awaitElement(this::isThereOne, unit.toNanos(timeout));
    return found != null;
  }

  /** Waits until there is an element. */
  public final void awaitElement() throws InterruptedException {
    boolean _ = awaitElement(Blocking.FOREVER, TimeUnit.NANOSECONDS);
  }

  /** Inside a transaction; null if there is none. */
  private @Nullable Boolean isThereOne() {
    return peek() == null ? null : Boolean.TRUE;
  }

  @Override
  public final int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  @Override
  public final int drainTo(Collection<? super E> target, int most) {
    requireOther(Objects.requireNonNull(target, "target"));
    return tx.call(
        () -> {
          Supplier<@Nullable E> heads = heads();
          int moved = 0;
          for (; moved < most; moved++) {
            E element = heads.get();
            if (element == null) {
              break;
            }
            target.add(element);
          }
          return moved;
        });
  }

  @Override
  public final boolean removeAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(others::contains);
  }

  @Override
  public final boolean retainAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(element -> !others.contains(element));
  }

  @Override
  public final String toString() {
    return Contents.elements(this);
  }
}
