package io.everheap.benchmarks.result;

/** What the data of a case survives. */
public enum Level {
  /** Volatile: nothing. */
  V,
  /** The end of the process. */
  P,
  /** The loss of power, for each operation that returned. */
  S
}
