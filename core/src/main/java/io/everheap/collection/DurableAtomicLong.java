package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * A {@code long} that lives in a heap and outlives the process, with the methods of {@link
 * java.util.concurrent.atomic.AtomicLong}. Each change is a transaction of its own, or a part of
 * the one that this thread runs; functions run inside it, once. {@link #get} takes no lock.
 *
 * <p>Safe for use by many threads. After it was removed from its heap, every method throws {@link
 * io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @since 0.9
 */
@Stable
public interface DurableAtomicLong extends Structure {
  /** The shape of an atomic long; a new one is 0. */
  static Shape<DurableAtomicLong> of() {
    return of(0);
  }

  /** The shape of an atomic long that has this value when it is made. */
  static Shape<DurableAtomicLong> of(long initial) {
    return new Shape<>("atomic long", initial);
  }

  /** Returns the value. */
  long get();

  /** Sets the value. */
  void set(long value);

  /** Sets the value and returns the one before. */
  long getAndSet(long value);

  /** Sets the value if it is the expected one; returns whether it was. */
  boolean compareAndSet(long expected, long value);

  /** Adds and returns the value before. */
  long getAndAdd(long delta);

  /** Adds and returns the sum. */
  long addAndGet(long delta);

  /** Adds 1 and returns the value before. */
  long getAndIncrement();

  /** Adds 1 and returns the sum. */
  long incrementAndGet();

  /** Subtracts 1 and returns the value before. */
  long getAndDecrement();

  /** Subtracts 1 and returns the difference. */
  long decrementAndGet();

  /** Replaces the value by what a function makes of it and returns the one before. */
  long getAndUpdate(LongUnaryOperator change);

  /** Replaces the value by what a function makes of it and returns that. */
  long updateAndGet(LongUnaryOperator change);

  /** Replaces the value by what a function makes of it and another one; returns the one before. */
  long getAndAccumulate(long other, LongBinaryOperator change);

  /** Replaces the value by what a function makes of it and another one; returns that. */
  long accumulateAndGet(long other, LongBinaryOperator change);

  /** Whether the other one is a handle to the same atomic long. */
  @Override
  boolean equals(Object other);

  /** Returns the value in decimal. */
  @Override
  String toString();
}
