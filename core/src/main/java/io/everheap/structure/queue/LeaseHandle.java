package io.everheap.structure.queue;

import io.everheap.collection.Lease;
import java.time.Duration;

/**
 * The handle of a {@link Lease}: what its entry in the {@link LeaseTable} was when it was given or
 * extended. Thread-safe.
 */
public final class LeaseHandle<E> implements Lease<E> {
  private final WorkQueueHandle<E> queue;
  private final E element;

  private LeaseTable.Entry entry; // changed inside transactions, which are one at a time
  private volatile boolean over; // set when a transaction commits that ended it

  LeaseHandle(WorkQueueHandle<E> queue, E element, LeaseTable.Entry entry) {
    this.queue = queue;
    this.element = element;
    this.entry = entry;
  }

  /** The entry as it was when this lease was given or extended. */
  LeaseTable.Entry entry() {
    return entry;
  }

  void entry(LeaseTable.Entry changed) {
    entry = changed;
  }

  /** The transaction that acknowledged or released it has committed. */
  void end() {
    over = true;
  }

  @Override
  public E element() {
    return element;
  }

  @Override
  public long attempt() {
    return entry.attempts();
  }

  @Override
  public void acknowledge() {
    queue.acknowledge(this);
  }

  @Override
  public boolean release() {
    return release(Duration.ZERO);
  }

  @Override
  public boolean release(Duration delay) {
    return queue.release(this, delay);
  }

  @Override
  public void extend(Duration duration) {
    queue.extend(this, duration);
  }

  @Override
  public void close() {
    if (!over) {
      boolean _ = release();
    }
  }

  @Override
  public String toString() {
    return "lease of " + element + ", attempt " + entry.attempts();
  }
}
