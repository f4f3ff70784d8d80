package io.everheap.benchmarks.report;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows that can be compared, as a table of peers by cases: of one metric and number of threads,
 * with the same durability on the same medium.
 *
 * @param title what they have in common
 * @param metric their metric
 * @param cases the columns
 * @param peers the lines
 */
public record Pivot(String title, String metric, List<String> cases, List<Line> peers) {
  /**
   * A line.
   *
   * @param peer whose it is
   * @param values by case
   */
  public record Line(String peer, Map<String, Measurement> values) {}

  /**
   * Makes the tables of an experiment, without those that only floors are in.
   *
   * @param rows the experiment's
   */
  public static List<Pivot> of(List<Measurement> rows) {
    Map<String, List<Measurement>> groups = new LinkedHashMap<>();
    rows.stream()
        .filter(row -> !row.peer().equals(Case.FLOOR))
        .forEach(row -> groups.computeIfAbsent(title(row), title -> new ArrayList<>()).add(row));
    List<Pivot> pivots = new ArrayList<>();
    groups.forEach((title, group) -> pivots.add(pivot(title, group)));
    pivots.sort(Comparator.comparing(pivot -> !Case.OPS_PER_S.equals(pivot.metric)));
    return pivots;
  }

  private static String title(Measurement row) {
    String threads = row.threads() == 1 ? "1 thread" : row.threads() + " threads";
    return "%s, %s, level %s, %s".formatted(row.metric(), threads, row.durability(), row.medium());
  }

  private static Pivot pivot(String title, List<Measurement> rows) {
    Set<String> cases = new LinkedHashSet<>();
    Map<String, Line> lines = new LinkedHashMap<>();
    for (Measurement row : rows) {
      cases.add(row.name());
      lines
          .computeIfAbsent(row.peer(), peer -> new Line(peer, new LinkedHashMap<>()))
          .values()
          .put(row.name(), row);
    }
    return new Pivot(
        title, rows.getFirst().metric(), List.copyOf(cases), List.copyOf(lines.values()));
  }

  /** Whether more is better. */
  public boolean most() {
    return metric.equals(Case.OPS_PER_S);
  }

  /**
   * Finds the best of a column.
   *
   * @param name the case
   * @return its peer; {@code null} if fewer than two are in it
   */
  public @Nullable String best(String name) {
    List<Measurement> column =
        peers.stream().map(line -> line.values().get(name)).filter(m -> m != null).toList();
    if (column.size() < 2) {
      return null;
    }
    Comparator<Measurement> order = Comparator.comparingDouble(Measurement::value);
    return column.stream().min(most() ? order.reversed() : order).orElseThrow().peer();
  }
}
