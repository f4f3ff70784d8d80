package io.everheap.benchmarks.result;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;

/** Bar charts of results, one for each metric, a colour for each peer, on a logarithmic axis. */
public final class Chart {
  private static final int WIDTH = 1000;
  private static final int FRAME = 140;
  private static final int CASE = 28;
  private static final int BAR = 9;
  private static final double MARGIN = 2;
  private static final double GAP = 0.15;

  /** Told apart by those who do not see all colours (Okabe and Ito, 2008). */
  private static final Color[] COLOURS = {
    new Color(0x999999),
    new Color(0x0072B2),
    new Color(0xE69F00),
    new Color(0x009E73),
    new Color(0xD55E00),
    new Color(0xCC79A7),
    new Color(0x56B4E9)
  };

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
    System.setProperty("java.awt.headless", "true");
    Map<String, List<Measurement>> byMetric = new LinkedHashMap<>();
    for (Measurement row : rows) {
      byMetric.computeIfAbsent(row.metric(), m -> new ArrayList<>()).add(row);
    }
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, List<Measurement>> entry : byMetric.entrySet()) {
      Path file = directory.resolve(experiment + "-" + entry.getKey() + ".svg");
      write(file, experiment, entry.getKey(), entry.getValue());
      files.add(file);
    }
    return files;
  }

  private static void write(Path file, String experiment, String metric, List<Measurement> rows)
      throws IOException {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    double least = Double.MAX_VALUE;
    double most = Double.MIN_VALUE;
    boolean levels = rows.stream().map(Measurement::durability).distinct().count() > 1;
    for (Measurement row : rows) {
      if (row.value() <= 0) {
        continue; // the axis is logarithmic
      }
      boolean emulated = row.medium().startsWith("emulated");
      String peer = levels ? row.peer() + " " + row.durability() : row.peer();
      peer = levels && emulated ? peer + " " + row.medium() : peer;
      data.addValue(row.value(), peer, label(row));
      least = Math.min(least, row.value());
      most = Math.max(most, row.value());
    }
    if (data.getRowCount() == 0) {
      least = 1;
      most = 1;
    }
    JFreeChart chart =
        ChartFactory.createBarChart(
            experiment + ": medians",
            null,
            metric,
            data,
            PlotOrientation.HORIZONTAL,
            true,
            false,
            false);
    LogAxis axis = new LogAxis(metric);
    axis.setRange(least / MARGIN, most * MARGIN);
    axis.setTickUnit(new NumberTickUnit(1)); // a power of ten
    axis.setNumberFormatOverride(
        new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
    CategoryPlot plot = chart.getCategoryPlot();
    plot.setRangeAxis(axis);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    BarRenderer renderer = (BarRenderer) plot.getRenderer();
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    renderer.setItemMargin(0);
    plot.getDomainAxis().setCategoryMargin(GAP);
    for (int i = 0; i < data.getRowCount(); i++) {
      renderer.setSeriesPaint(i, COLOURS[i % COLOURS.length]);
    }
    renderer.setBase(least / MARGIN);
    int height = Math.max(CASE, BAR * data.getRowCount());
    draw(file, chart, FRAME + height * data.getColumnCount());
  }

  private static String label(Measurement row) {
    return row.threads() == 1 ? row.name() : row.name() + " x" + row.threads();
  }

  private static void draw(Path file, JFreeChart chart, int height) throws IOException {
    VectorGraphics2D graphics = new VectorGraphics2D();
    chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
    try (OutputStream out = Files.newOutputStream(file)) {
      new SVGProcessor()
          .getDocument(graphics.getCommands(), new PageSize(0, 0, WIDTH, height))
          .writeTo(out);
    }
  }
}
