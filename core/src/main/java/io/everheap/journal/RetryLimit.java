package io.everheap.journal;

import io.everheap.error.EverheapException;
import org.jspecify.annotations.Nullable;

/**
 * Tells a failure that lasts from one that a change just then caused: what the writer is just
 * changing can fail once or twice, but not again and again. Used by one thread at a time.
 */
final class Patience {
  private static final int TIMES = 5;
  private static final long NANOS = 500_000_000;

  private @Nullable EverheapException failure;
  private int failures;
  private long since;
  private long generation;

  /** The last failure. */
  @Nullable EverheapException failure() {
    return failure;
  }

  /**
   * Something failed.
   *
   * @param state generation of the journal's state then
   * @return whether it does not pass by itself
   */
  boolean exhausted(EverheapException reason, long state) {
    long now = System.nanoTime();
    if (failures == 0 || state != generation) {
      failures = 0;
      since = now;
      generation = state;
    }
    failure = reason;
    failures++;
    return failures >= TIMES && now - since >= NANOS;
  }

  /** It worked. */
  void restore() {
    failures = 0;
  }
}
