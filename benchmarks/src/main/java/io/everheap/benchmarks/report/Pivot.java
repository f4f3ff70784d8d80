package io.everheap.benchmarks.report;

import io.everheap.benchmarks.cache.CacheExperiment;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one run that can be compared, as a table of cases by peers: of one metric, with the same
 * durability on the same medium. Caches differ in what they promise, and are compared all the same:
 * the columns of their tables, one for each part and metric, name it.
 *
 * @param title what they have in common
 * @param metric their metric
 * @param peers the columns
 * @param lines the cases, each with a number of threads
 */
public record Pivot(String title, String metric, List<String> peers, List<Line> lines) {
  /**
   * A line.
   *
   * @param name of the case
   * @param threads how many did it at once
   * @param values by peer
   */
  public record Line(String name, int threads, Map<String, Measurement> values) {
    /** The value of this library: the first of its structures that is in the line. */
    @Nullable Measurement own() {
      return values.values().stream()
          .filter(row -> row.peer().startsWith(Case.EVERHEAP))
          .findFirst()
          .orElse(null);
    }
  }

  /**
   * Makes the tables of an experiment, without the rows of floors.
   *
   * @param rows the experiment's
   */
  public static List<Pivot> of(List<Measurement> rows) {
    Map<String, List<Measurement>> groups = new LinkedHashMap<>();
    rows.stream()
        .filter(row -> !row.peer().equals(Case.FLOOR))
        .map(row -> row.experiment().equals(CacheExperiment.NAME) ? withLevel(row) : row)
        .forEach(row -> groups.computeIfAbsent(title(row), title -> new ArrayList<>()).add(row));
    List<Pivot> pivots = new ArrayList<>();
    groups.forEach((title, group) -> pivots.add(pivot(title, group)));
    pivots.sort(Comparator.comparing(pivot -> !pivot.most()));
    return pivots;
  }

  private static Measurement withLevel(Measurement row) {
    return new Measurement(
        row.experiment(),
        row.name(),
        row.peer() + " (" + row.durability() + ")",
        row.durability(),
        row.medium(),
        row.threads(),
        row.metric(),
        row.value(),
        row.spread(),
        row.ratioToFloor());
  }

  private static String title(Measurement row) {
    if (row.experiment().equals(CacheExperiment.NAME)) {
      return row.name().substring(0, Math.max(0, row.name().indexOf('/'))) + ", " + row.metric();
    }
    return String.format(
        Locale.ROOT, "%s, level %s, %s", row.metric(), row.durability(), row.medium());
  }

  private static Pivot pivot(String title, List<Measurement> rows) {
    Set<String> peers = new LinkedHashSet<>();
    Map<String, Line> lines = new LinkedHashMap<>();
    for (Measurement row : rows) {
      peers.add(row.peer());
      lines
          .computeIfAbsent(
              row.name() + " " + row.threads(),
              key -> new Line(row.name(), row.threads(), new LinkedHashMap<>()))
          .values()
          .put(row.peer(), row);
    }
    return new Pivot(
        title, rows.getFirst().metric(), List.copyOf(peers), List.copyOf(lines.values()));
  }

  /** Whether more is better. */
  public boolean most() {
    return metric.equals(Case.OPS_PER_S) || metric.equals(Case.HIT_PERCENT);
  }

  /**
   * Finds the best of a line.
   *
   * @param line the line
   * @return its peer; {@code null} if fewer than two are in it
   */
  public @Nullable String best(Line line) {
    return line.values().size() < 2
        ? null
        : line.values().values().stream().min(order()).orElseThrow().peer();
  }

  /**
   * Compares this library with the best other peer of a line.
   *
   * @param line the line
   * @return its value divided by the other's; {@code null} if one of the two is missing or zero
   */
  public @Nullable Double lead(Line line) {
    Measurement own = line.own();
    Measurement other =
        line.values().values().stream()
            .filter(row -> !row.peer().startsWith(Case.EVERHEAP))
            .min(order())
            .orElse(null);
    return own == null || other == null || other.value() == 0 ? null : own.value() / other.value();
  }

  private Comparator<Measurement> order() {
    Comparator<Measurement> order = Comparator.comparingDouble(Measurement::value);
    return most() ? order.reversed() : order;
  }
}
