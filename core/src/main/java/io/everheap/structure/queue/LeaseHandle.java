package io.everheap.structure.queue;

import io.everheap.collection.Lease;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a {@link Lease}: what its entry in the {@link LeaseTable} was when it was given or
 * extended. Thread-safe.
 */
public final class LeaseHandle<E> implements Lease<E> {
  private static final Duration MIN_PAUSE = Duration.ofSeconds(1);
  private static final int MAX_DOUBLINGS = 9; // 8.5 minutes

  private final WorkQueueHandle<E> queue;
  private final @Nullable E element; // null if it does not decode
  private final @Nullable Undecodable undecodable;

  private LeaseTable.Entry entry; // changed inside transactions, which are one at a time
  private volatile boolean over; // set when a transaction commits that ended it

  LeaseHandle(
      WorkQueueHandle<E> queue,
      @Nullable E element,
      @Nullable Undecodable undecodable,
      LeaseTable.Entry entry) {
    this.queue = queue;
    this.element = element;
    this.undecodable = undecodable;
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
    E decoded = element;
    if (decoded == null) {
      CorruptValueException reason = Objects.requireNonNull(undecodable).reason();
      throw new CorruptValueException(String.valueOf(reason.getMessage()), reason);
    }
    return decoded;
  }

  @Override
  public @Nullable Undecodable undecodable() {
    return undecodable;
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
    return release(undecodable == null ? Duration.ZERO : pause());
  }

  /** Doubles with each attempt, so that other elements come between the attempts. */
  private Duration pause() {
    int doublings = (int) Math.min(attempt() - 1, MAX_DOUBLINGS);
    return MIN_PAUSE.multipliedBy(1L << doublings);
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
    return "lease of "
        + (element == null ? "<undecodable: " + undecodable + '>' : element)
        + ", attempt "
        + entry.attempts();
  }
}
