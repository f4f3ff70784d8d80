package io.everheap.benchmarks.objects;

import io.everheap.durable.Durable;
import org.jspecify.annotations.Nullable;

/** An object of a tree. */
@Durable(name = "benchmark.Branch")
public interface Branch {
  /** Its number. */
  long number();

  /** Sets it. */
  void number(long value);

  /** A part of the tree. */
  @Nullable Branch left();

  /** Sets it. */
  void left(@Nullable Branch value);

  /** Another one. */
  @Nullable Branch right();

  /** Sets it. */
  void right(@Nullable Branch value);
}
