package io.everheap.benchmarks.objects;

import io.everheap.durable.Durable;
import org.jspecify.annotations.Nullable;

/** What is read and written, by durable objects as by plain ones. */
@Durable(name = "benchmark.Item")
public interface Item {
  /** A long. */
  long amount();

  /** Sets it. */
  void amount(long value);

  /** An int. */
  int count();

  /** Sets it. */
  void count(int value);

  /** A text of some ten characters. */
  @Nullable String name();

  /** Sets it. */
  void name(@Nullable String value);

  /** Another item. */
  @Nullable Item next();

  /** Sets it. */
  void next(@Nullable Item value);

  /** Reads and writes a field. */
  default void add(long n) {
    amount(amount() + n);
  }
}
