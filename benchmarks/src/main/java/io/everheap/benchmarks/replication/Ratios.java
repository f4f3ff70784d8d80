package io.everheap.benchmarks.replication;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Target;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Targets that compare rows of one case. */
final class Ratios {
  private Ratios() {}

  /** A throughput of at least so many times that without a replica. */
  static Target ofAlone(String name, int threads, double least) {
    return new Target(
        name,
        threads,
        Case.OPS_PER_S,
        ">= " + least + " x alone",
        false,
        least,
        (row, all) -> ratio(row, all, name, UpdatesPart.ALONE));
  }

  /** At least, or at most, so many times the value of another row with the same metric. */
  static Target of(
      String name, String metric, boolean atMost, double limit, String otherName, String peer) {
    return new Target(
        name,
        1,
        metric,
        String.format(
            Locale.ROOT,
            "%s %s x %s%s",
            atMost ? "<=" : ">=",
            limit,
            peer,
            otherName.equals(name) ? "" : " " + otherName),
        atMost,
        limit,
        (row, all) -> ratio(row, all, otherName, peer));
  }

  private static @Nullable Double ratio(
      Measurement row, List<Measurement> all, String name, String peer) {
    return all.stream()
        .filter(m -> m.name().equals(name) && m.peer().equals(peer))
        .filter(m -> m.threads() == row.threads() && m.metric().equals(row.metric()))
        .map(m -> row.value() / m.value())
        .findFirst()
        .orElse(null);
  }
}
