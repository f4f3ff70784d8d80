package io.everheap.benchmarks.report;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rows of {@code scaling} as curves: a value by the number that the part varies. */
final class ScalingCurves {
  private static final Pattern NAME =
      Pattern.compile("(records|values|threads|transactions)/([A-Za-z]+)-([0-9.]+)([km]?)(.*)");
  private static final Map<String, String> AXES =
      Map.of(
          "records", "records",
          "values", "bytes of a value",
          "threads", "threads",
          "transactions", "records of a transaction");

  private ScalingCurves() {}

  /** The curves of throughput and of times; a curve has two points at least. */
  static List<Series> of(List<Measurement> rows) {
    Map<String, Series> curves = new LinkedHashMap<>();
    for (Measurement row : rows) {
      Matcher name = NAME.matcher(row.name());
      boolean time = row.metric().equals(Case.SECONDS);
      if ((time || row.metric().equals(Case.OPS_PER_S)) && name.matches()) {
        Double x = x(row, name);
        if (x != null) {
          String title = name.group(1) + "/" + name.group(2);
          String key = String.join(" ", title, row.peer(), row.durability() + "", row.medium());
          curves
              .computeIfAbsent(key, k -> curve(row, title, time, AXES.get(name.group(1))))
              .points()
              .add(List.of(x, row.value()));
        }
      }
    }
    curves.values().forEach(curve -> curve.points().sort(Comparator.comparing(List::getFirst)));
    return curves.values().stream().filter(curve -> curve.points().size() > 1).toList();
  }

  private static Series curve(Measurement row, String title, boolean time, @Nullable String x) {
    return new Series(
        row.experiment(),
        title,
        row.peer(),
        row.durability(),
        row.medium(),
        x == null ? "" : x,
        time ? "seconds" : "operations per second",
        new ArrayList<>());
  }

  private static @Nullable Double x(Measurement row, Matcher name) {
    return switch (name.group(1)) {
      case "threads" -> (double) row.threads();
      case "values" -> {
        int split = name.group(5).lastIndexOf('x');
        yield split < 0 ? null : Double.valueOf(name.group(5).substring(split + 1));
      }
      default ->
          Double.parseDouble(name.group(3))
              * switch (name.group(4)) {
                case "k" -> 1e3;
                case "m" -> 1e6;
                default -> 1;
              };
    };
  }
}
