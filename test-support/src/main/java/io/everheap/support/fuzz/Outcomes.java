package io.everheap.support.fuzz;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts how inputs ended, so that a target that refuses nearly all of them is noticed. */
final class Outcomes {
  private final Map<String, Integer> counts = new TreeMap<>();
  private String slowest = "";
  private long longest;

  void add(@Nullable Throwable failure, String name, long nanos) {
    String outcome = failure == null ? "read" : failure.getClass().getSimpleName();
    counts.merge(outcome, 1, Integer::sum);
    if (nanos > longest) {
      longest = nanos;
      slowest = name;
    }
  }

  String summary(String target, long seed, int inputs, int corpus) {
    return String.format(
        Locale.ROOT,
        "fuzz %s: %d inputs from seed %d, corpus of %d, slowest %s with %d ms, %s",
        target,
        inputs,
        seed,
        corpus,
        slowest,
        longest / 1_000_000,
        counts);
  }
}
