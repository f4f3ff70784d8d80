package io.everheap.benchmarks.report;

import io.everheap.benchmarks.result.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.data.category.DefaultCategoryDataset;

/** Bar charts of results: a group of bars for each case, a colour for each peer. */
public final class Chart {
  private static final int WIDTH = 1000;
  private static final int FRAME = 140;
  private static final int CASE = 28;
  private static final int BAR = 9;
  private static final double MARGIN = 2;
  private static final double GAP = 0.15;

  private Chart() {}

  /**
   * Writes {@code EXPERIMENT-METRIC.svg} for each metric.
   *
   * @param directory where to
   * @param experiment its name
   * @param rows the rows
   * @return the files
   * @throws IOException if that fails
   */
  public static List<Path> write(Path directory, String experiment, List<Measurement> rows)
      throws IOException {
    Map<String, List<Measurement>> byMetric = new LinkedHashMap<>();
    for (Measurement row : rows) {
      byMetric.computeIfAbsent(row.metric(), m -> new ArrayList<>()).add(row);
    }
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, List<Measurement>> entry : byMetric.entrySet()) {
      Path file = directory.resolve(experiment + "-" + entry.getKey() + ".svg");
      String title = experiment + ": medians";
      Files.writeString(file, bars(title, entry.getKey(), entry.getValue(), Measurement::value));
      files.add(file);
    }
    return files;
  }

  /** A chart on a logarithmic axis, which values that are not positive are missing from. */
  static String bars(
      String title, String label, List<Measurement> rows, ToDoubleFunction<Measurement> value)
      throws IOException {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    double least = Double.MAX_VALUE;
    double most = Double.MIN_VALUE;
    boolean levels = rows.stream().map(Measurement::durability).distinct().count() > 1;
    for (Measurement row : rows) {
      double length = value.applyAsDouble(row);
      if (length > 0) {
        boolean emulated = row.medium().startsWith("emulated");
        String peer = levels ? row.peer() + " " + row.durability() : row.peer();
        peer = levels && emulated ? peer + " " + row.medium() : peer;
        data.addValue(length, peer, label(row));
        least = Math.min(least, length);
        most = Math.max(most, length);
      }
    }
    if (data.getRowCount() == 0) {
      least = 1;
      most = 1;
    }
    JFreeChart chart = Drawing.bars(title, label, data, true);
    LogAxis axis = Drawing.powers(label);
    axis.setRange(least / MARGIN, most * MARGIN);
    CategoryPlot plot = chart.getCategoryPlot();
    plot.setRangeAxis(axis);
    plot.getDomainAxis().setCategoryMargin(GAP);
    BarRenderer renderer = (BarRenderer) plot.getRenderer();
    renderer.setItemMargin(0);
    renderer.setBase(least / MARGIN);
    for (int i = 0; i < data.getRowCount(); i++) {
      renderer.setSeriesPaint(i, Drawing.colour(data.getRowKey(i), i));
    }
    int height = Math.max(CASE, BAR * data.getRowCount());
    return Drawing.svg(chart, WIDTH, FRAME + height * data.getColumnCount());
  }

  private static String label(Measurement row) {
    return row.threads() == 1 ? row.name() : row.name() + " x" + row.threads();
  }
}
