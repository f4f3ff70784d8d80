package io.everheap.memory.crypt;

/**
 * What all files that are open under one name share. Its monitor is held for changes. Readers take
 * it only if the file is being changed, or was meanwhile: they compare the counts before and after.
 *
 * <p>Not a lock of the JDK, which a StackOverflowError in {@code unlock()} would leave locked.
 */
final class FileTurn {
  /** The changes that have begun; stored to by a thread that holds the monitor. */
  volatile long begun;

  /** Of these, the ones that have ended: assigned when the monitor is left, also by an error. */
  volatile long ended;

  /** Counts a change and returns its number; the caller holds the monitor. */
  long begin() {
    long number = begun + 1;
    begun = number;
    return number;
  }
}
