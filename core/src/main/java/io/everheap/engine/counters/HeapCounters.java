package io.everheap.engine.counters;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;

/**
 * Counters of a heap that another process has, or had, open.
 *
 * @param heap its uuid
 * @param pid of the process; -1 if it is not known
 * @param state of the heap
 * @param number of this publication, from 1
 * @param now the newest publication
 * @param before the one before it
 */
public record HeapCounters(
    UUID heap, long pid, State state, long number, Sample now, Optional<Sample> before) {
  /** The state of the heap. */
  public enum State {
    /** The process runs and uses the heap. */
    OPEN,
    /** The process runs, but the heap refuses everything after a failure. */
    POISONED,
    /** The process closed the heap a moment ago. */
    CLOSED,
    /** The process that wrote the file does not run, or cannot be seen from here. */
    STALE
  }

  /**
   * One publication.
   *
   * @param nanos of a clock that only differences mean something of
   * @param millis since 1970
   * @param values by label
   */
  public record Sample(long nanos, long millis, Map<String, Long> values) {
    /** The value of a counter; empty if the file does not have it. */
    public Optional<Long> get(Counter counter) {
      return Optional.ofNullable(values.get(counter.label()));
    }
  }

  /** How much a counter grew in a second between the two publications. */
  public OptionalDouble rate(Counter counter) {
    Optional<Long> from = before.flatMap(sample -> sample.get(counter));
    Optional<Long> to = now.get(counter);
    if (from.isEmpty() || to.isEmpty() || before.get().nanos() >= now.nanos()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of((to.get() - from.get()) * 1e9 / (now.nanos() - before.get().nanos()));
  }
}
