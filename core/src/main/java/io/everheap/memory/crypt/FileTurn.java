package io.everheap.memory.crypt;

import java.util.function.LongConsumer;

/**
 * What all files that are open under one name share. Its monitor is held for changes. Readers take
 * it only if the file is being changed, or was meanwhile: they compare the counts before and after.
 *
 * <p>Not a lock of the JDK, which a StackOverflowError in {@code unlock()} would leave locked.
 */
final class FileTurn {
  private volatile long begun;
  private volatile long ended;

  /** Runs a change, which gets its number, while no other one runs. */
  synchronized void change(LongConsumer change) {
    try {
      long number = begun + 1;
      begun = number;
      change.accept(number);
    } finally {
      ended = begun; // an assignment, which no second error prevents
    }
  }

  /** The number of changes that have ended, for {@link #isUnchanged}. */
  long ended() {
    return ended;
  }

  /** Whether no change has begun since so many had ended, so that none is under way either. */
  boolean isUnchanged(long changes) {
    return begun == changes;
  }

  /** The number of changes that have begun; the caller holds the monitor. */
  long begun() {
    return begun;
  }
}
