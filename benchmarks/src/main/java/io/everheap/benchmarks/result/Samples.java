package io.everheap.benchmarks.result;

import io.everheap.benchmarks.result.Measurement.Spread;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects one value of each case per round. Not thread-safe. */
public final class Samples {
  private static final MathContext DIGITS = new MathContext(5);

  private final Map<Case, List<Double>> values = new LinkedHashMap<>();
  private final Map<String, String> notRun = new LinkedHashMap<>();

  /**
   * Adds the value of a round.
   *
   * @param what the case
   * @param value its value
   */
  public void add(Case what, double value) {
    values.computeIfAbsent(what, c -> new ArrayList<>()).add(value);
  }

  /**
   * Notes that something could not be measured.
   *
   * @param what a case or a group of them
   * @param why the reason, and what to do about it
   */
  public void notRun(String what, String why) {
    notRun.putIfAbsent(what, why);
  }

  /**
   * Returns what could not be measured.
   *
   * @return reasons by name, as a copy
   */
  public Map<String, String> notRun() {
    return new LinkedHashMap<>(notRun);
  }

  /**
   * Summarises the rounds.
   *
   * @param experiment the experiment's name
   * @return one row for each case, in the order of their first values
   */
  public List<Measurement> measurements(String experiment) {
    List<Measurement> rows = new ArrayList<>();
    values.forEach(
        (what, samples) ->
            rows.add(
                new Measurement(
                    experiment,
                    what.name(),
                    what.peer(),
                    what.durability(),
                    what.medium(),
                    what.threads(),
                    what.metric(),
                    rounded(median(samples)),
                    new Spread(
                        rounded(samples.stream().mapToDouble(d -> d).min().orElseThrow()),
                        rounded(samples.stream().mapToDouble(d -> d).max().orElseThrow())),
                    ratio(what, median(samples)))));
    return rows;
  }

  private @Nullable Double ratio(Case what, double value) {
    String floor = what.floor();
    if (floor == null) {
      return null;
    }
    double best = Double.NaN;
    for (Map.Entry<Case, List<Double>> candidate : values.entrySet()) {
      Case c = candidate.getKey();
      if (c.peer().equals(Case.FLOOR)
          && c.name().startsWith(floor)
          && c.metric().equals(Case.NS_PER_OP)) {
        double median = median(candidate.getValue());
        best = Double.isNaN(best) ? median : Math.min(best, median);
      }
    }
    if (Double.isNaN(best)) {
      return null;
    }
    return switch (what.metric()) {
      case Case.NS_PER_OP -> rounded(value / best);
      case Case.OPS_PER_S -> rounded(value * best / 1e9);
      case Case.P99_US -> rounded(value * 1e3 / best);
      default -> null;
    };
  }

  /** The middle value, or the mean of the two in the middle. */
  static double median(List<Double> samples) {
    double[] sorted = samples.stream().mapToDouble(d -> d).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double rounded(double value) {
    return Double.isFinite(value) ? new BigDecimal(value).round(DIGITS).doubleValue() : value;
  }
}
