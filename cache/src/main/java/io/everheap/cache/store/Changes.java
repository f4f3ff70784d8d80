package io.everheap.cache.store;

import io.everheap.memory.BriefLock;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Runs changes of entries under the cache's lock, and then does what they leave to do without it.
 * Thread-safe.
 */
final class Changes {
  private final Turn turn;
  private final Recovery recovery;
  private final Durability durability;
  private final Departures departures;

  Changes(Turn turn, Recovery recovery, Durability durability, Departures departures) {
    this.turn = turn;
    this.recovery = recovery;
    this.durability = durability;
    this.departures = departures;
  }

  /** Runs a change under the lock, and then tells the listener. */
  void run(Runnable change) {
    run(change, () -> true);
  }

  /**
   * Runs a change under the lock, and then tells the listener.
   *
   * @param isPossible is asked under the lock; while it says no, more entries are recovered
   */
  void run(Runnable change, BooleanSupplier isPossible) {
    while (!runNow(change, isPossible)) {
      boolean _ = recovery.next();
    }
  }

  /** False if it is not possible now. */
  private boolean runNow(Runnable change, BooleanSupplier isPossible) {
    List<Departure> departed;
    boolean manyEnds;
    turn.lock.lock();
    try {
      turn.requireUsable();
      if (!isPossible.getAsBoolean()) {
        return false;
      }
      turn.change(change);
      departed = departures.take();
      manyEnds = durability.hasManyEnds();
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
    departures.tell(departed);
    if (manyEnds) {
      boolean _ = durability.sync();
    }
    return true;
  }
}
