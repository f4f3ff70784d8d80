package io.everheap.benchmarks.report;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The charts of the documentation. An experiment with floors has one of the ratios to them, {@code
 * scaling} its curves, and any other a chart of each table that compares peers.
 */
final class DocumentCharts {
  private DocumentCharts() {}

  /**
   * Draws the charts of an experiment. Each shows rows of one run; the newest run that has a chart
   * counts.
   *
   * @param experiment its name
   * @param runs its runs, the oldest first
   * @return SVG by the name of the chart
   * @throws IOException if one cannot be drawn
   */
  static Map<String, String> of(String experiment, List<ResultFiles> runs) throws IOException {
    Map<String, String> charts = new LinkedHashMap<>();
    for (ResultFiles run : runs) {
      if (!ExperimentMarkdown.isLarge(runs)) {
        floors(charts, experiment, run.rows());
      } else if (experiment.equals("scaling")) {
        curves(charts, experiment, run.rows());
      } else {
        comparisons(charts, experiment, run.rows());
      }
    }
    return charts;
  }

  private static void floors(Map<String, String> charts, String experiment, List<Measurement> all)
      throws IOException {
    List<Measurement> rows =
        all.stream()
            .filter(row -> row.ratioToFloor() != null && row.metric().equals(Case.NS_PER_OP))
            .toList();
    if (!rows.isEmpty()) {
      String title = experiment + ": time of an operation, as a multiple of the floor's";
      charts.put(
          experiment + "-floors",
          Chart.bars(
              title,
              "time / floor's",
              rows,
              row -> row.ratioToFloor() == null ? 0 : row.ratioToFloor()));
    }
  }

  /** Throughput by what a part varies. */
  private static void curves(Map<String, String> charts, String experiment, List<Measurement> all)
      throws IOException {
    List<Measurement> rows =
        all.stream().filter(row -> row.metric().equals(Case.OPS_PER_S)).toList();
    Map<String, List<Series>> groups = new LinkedHashMap<>();
    for (Series curve : ScalingCurves.of(rows)) {
      String name =
          String.join("-", experiment, curve.name(), curve.durability().name(), curve.medium());
      groups.computeIfAbsent(name.replace('/', '-'), n -> new ArrayList<>()).add(curve);
    }
    for (Map.Entry<String, List<Series>> group : groups.entrySet()) {
      List<Series> curves = group.getValue();
      if (curves.size() > 1) {
        Series first = curves.getFirst();
        String title =
            String.format(
                Locale.ROOT, "%s, level %s, %s", first.name(), first.durability(), first.medium());
        charts.put(group.getKey(), Figures.lines(title, curves, true));
      }
    }
  }

  /** Of each table with several cases the lines with the most threads. */
  private static void comparisons(
      Map<String, String> charts, String experiment, List<Measurement> rows) throws IOException {
    for (Pivot pivot : Pivot.of(rows)) {
      int threads = pivot.lines().stream().mapToInt(Pivot.Line::threads).max().orElseThrow();
      List<Pivot.Line> lines =
          pivot.lines().stream()
              .filter(line -> line.threads() == threads && pivot.lead(line) != null)
              .toList();
      if (lines.size() > 1) {
        String title =
            String.format(Locale.ROOT, "%s: %s, threads: %d", experiment, pivot.title(), threads);
        String name = experiment + "-" + pivot.title().replace(", ", "-").replace("level ", "");
        charts.put(name, Figures.relative(title, pivot, lines));
      }
    }
  }
}
