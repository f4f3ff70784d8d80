package io.everheap.collection;

import io.everheap.stability.Stable;

/**
 * A sum that lives in a heap and outlives the process, with the methods of {@link
 * java.util.concurrent.atomic.LongAdder}. Each change is a transaction of its own, or a part of the
 * one that this thread runs: what was added before a crash is counted exactly once. {@link #sum}
 * takes no lock and is exact.
 *
 * <p>Safe for use by many threads. After it was removed from its heap, every method throws {@link
 * io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @since 0.9
 */
@Stable
public interface DurableCounter extends Structure {
  /** The shape of a counter; a new one is 0. */
  static Shape<DurableCounter> of() {
    return new Shape<>("counter");
  }

  /** Adds. */
  void add(long delta);

  /** Adds 1. */
  void increment();

  /** Subtracts 1. */
  void decrement();

  /** Returns the sum. */
  long sum();

  /** Sets the sum to 0. */
  void reset();

  /** Sets the sum to 0 and returns the one before. */
  long sumThenReset();

  /** Whether the other one is a handle to the same counter. */
  @Override
  boolean equals(Object other);

  /** Returns the sum in decimal. */
  @Override
  String toString();
}
