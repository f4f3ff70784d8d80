package io.everheap.benchmarks.report;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Series;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Pictures as SVG text, to be put into a page. */
final class Figures {
  private static final int FRAME = 80;
  private static final int BAR = 22;
  private static final int CURVES = 420;
  private static final float LINE = 1.5f;
  private static final double MARGIN = 1.5;

  private Figures() {}

  /** A bar for each peer, the longest first. */
  static String bars(String title, String metric, List<Measurement> rows) throws IOException {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    List<Measurement> sorted =
        rows.stream().sorted(Comparator.comparingDouble(Measurement::value).reversed()).toList();
    for (Measurement row : sorted) {
      boolean own = row.peer().startsWith(Case.EVERHEAP);
      data.addValue(own ? row.value() : null, "own", row.peer());
      data.addValue(own ? null : row.value(), "other", row.peer());
    }
    JFreeChart chart = Drawing.bars(title, metric, data, false);
    CategoryPlot plot = chart.getCategoryPlot();
    plot.getRangeAxis().setUpperMargin(0.12);
    BarRenderer renderer = (BarRenderer) plot.getRenderer();
    renderer.setItemMargin(-1); // one of the two bars is never there
    renderer.setSeriesPaint(0, Drawing.OWN);
    renderer.setSeriesPaint(1, Drawing.OTHER);
    renderer.setDefaultItemLabelsVisible(true);
    renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator());
    return Drawing.svg(chart, Drawing.WIDTH, FRAME + BAR * data.getColumnCount());
  }

  /**
   * A mark for each peer in each line of a table, at its value divided by this library's, on a
   * logarithmic axis. This library is the line at 1.
   */
  static String relative(String title, Pivot pivot, List<Pivot.Line> lines) throws IOException {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    double least = 1;
    double most = 1;
    for (String peer : pivot.peers()) {
      for (Pivot.Line line : lines) {
        Measurement own = line.own();
        Measurement row = line.values().get(peer);
        if (own != null && row != null && row.value() > 0 && !row.equals(own)) {
          double ratio = row.value() / own.value();
          data.addValue(ratio, peer, line.name());
          least = Math.min(least, ratio);
          most = Math.max(most, ratio);
        }
      }
    }
    String axis = pivot.most() ? "throughput / Everheap's" : "value / Everheap's";
    JFreeChart chart = ChartFactory.createLineChart(title, null, axis, data);
    CategoryPlot plot = chart.getCategoryPlot();
    Drawing.plain(plot);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    plot.setDomainGridlinesVisible(true);
    plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
    LogAxis ratios = Drawing.powers(axis);
    ratios.setRange(least / MARGIN, most * MARGIN);
    plot.setRangeAxis(ratios);
    plot.addRangeMarker(new ValueMarker(1, Drawing.OWN, new BasicStroke(2 * LINE)));
    LineAndShapeRenderer renderer = new LineAndShapeRenderer(false, true);
    for (int i = 0; i < data.getRowCount(); i++) {
      renderer.setSeriesPaint(i, Drawing.colour(data.getRowKey(i), i));
    }
    plot.setRenderer(renderer);
    return Drawing.svg(chart, Drawing.WIDTH, 2 * FRAME + 2 * BAR * lines.size());
  }

  /** A line for each curve, by scales that are logarithmic or not. */
  static String lines(String title, List<Series> curves, boolean logarithmic) throws IOException {
    XYSeriesCollection data = new XYSeriesCollection();
    for (Series curve : curves) {
      XYSeries line = new XYSeries(curve.peer());
      curve.points().forEach(point -> line.add(point.get(0), point.get(1)));
      data.addSeries(line);
    }
    Series first = curves.getFirst();
    JFreeChart chart = ChartFactory.createXYLineChart(title, first.x(), first.y(), data);
    XYPlot plot = chart.getXYPlot();
    Drawing.plain(plot);
    plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    if (logarithmic) {
      plot.setDomainAxis(Drawing.powers(first.x()));
      plot.setRangeAxis(Drawing.powers(first.y()));
    }
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, logarithmic);
    for (int i = 0; i < data.getSeriesCount(); i++) {
      renderer.setSeriesPaint(i, Drawing.colour(data.getSeriesKey(i), i));
      renderer.setSeriesStroke(i, new BasicStroke(LINE));
    }
    plot.setRenderer(renderer);
    return Drawing.svg(chart, Drawing.WIDTH, CURVES);
  }
}
