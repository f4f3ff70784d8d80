package io.everheap.structure.queue;

import io.everheap.collection.Lease;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a {@link Lease}: what its entry in the {@link LeaseTable} was when it was given or
 * extended. Since an extension may be rolled back, it keeps the entries before the extensions that
 * are not committed. Thread-safe.
 */
public final class LeaseHandle<E> implements Lease<E> {
  private static final Duration MIN_PAUSE = Duration.ofSeconds(1);
  private static final int MAX_DOUBLINGS = 9; // 8.5 minutes

  private final WorkQueueHandle<E> queue;
  private final @Nullable E element; // null if it does not decode
  private final @Nullable Undecodable undecodable;

  private State state; // changed inside transactions, which are one at a time
  private volatile boolean over; // set when a transaction commits that ended it

  /** An entry, and the one before the extension that made it. */
  static final class State {
    final LeaseTable.Entry entry;

    /** Null if it cannot come back: the transaction that made this entry has committed. */
    volatile @Nullable State earlier;

    State(LeaseTable.Entry entry, @Nullable State earlier) {
      this.entry = entry;
      this.earlier = earlier;
    }
  }

  LeaseHandle(
      WorkQueueHandle<E> queue,
      @Nullable E element,
      @Nullable Undecodable undecodable,
      LeaseTable.Entry entry) {
    this.queue = queue;
    this.element = element;
    this.undecodable = undecodable;
    this.state = new State(entry, null);
  }

  /** The newest entry that is known, with those that a rollback may have brought back. */
  State state() {
    return state;
  }

  void state(State found) {
    state = found;
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
    return state.entry.attempts();
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
        + attempt();
  }
}
