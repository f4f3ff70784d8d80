package io.everheap.journal;

import io.everheap.error.EverheapException;
import org.jspecify.annotations.Nullable;

/**
 * Tells a lasting failure from a transient one: reading what the writer is changing can fail once
 * or twice, but not again and again. Used by one thread at a time.
 */
final class RetryLimit {
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
   * An attempt failed.
   *
   * @param state generation of the journal's state then
   * @return whether the failure lasts
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

  /** An attempt succeeded. */
  void reset() {
    failures = 0;
  }
}
