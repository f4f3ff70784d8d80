package io.everheap.benchmarks.report;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Series;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Pictures as SVG text, to be put into a page. */
final class Figures {
  private static final int WIDTH = 900;
  private static final int FRAME = 80;
  private static final int BAR = 22;
  private static final int CURVES = 420;
  private static final Color OWN = new Color(0x0072B2);
  private static final Color OTHER = new Color(0x999999);
  private static final float LINE = 1.5f;

  /** Told apart by those who do not see all colours (Okabe and Ito, 2008). */
  private static final Color[] COLOURS = {
    OWN,
    new Color(0xE69F00),
    new Color(0x009E73),
    new Color(0xD55E00),
    new Color(0xCC79A7),
    new Color(0x56B4E9),
    new Color(0x999999),
    new Color(0x000000),
    new Color(0xF0E442)
  };

  static {
    System.setProperty("java.awt.headless", "true");
  }

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
    JFreeChart chart =
        ChartFactory.createBarChart(
            title, null, metric, data, PlotOrientation.HORIZONTAL, false, false, false);
    CategoryPlot plot = chart.getCategoryPlot();
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlineVisible(false);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    plot.getRangeAxis().setUpperMargin(0.12);
    BarRenderer renderer = (BarRenderer) plot.getRenderer();
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    renderer.setItemMargin(-1); // one of the two bars is never there
    renderer.setSeriesPaint(0, OWN);
    renderer.setSeriesPaint(1, OTHER);
    renderer.setDefaultItemLabelsVisible(true);
    renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator());
    return svg(chart, FRAME + BAR * data.getColumnCount());
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
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlineVisible(false);
    plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    if (logarithmic) {
      plot.setDomainAxis(powers(first.x()));
      plot.setRangeAxis(powers(first.y()));
    }
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, logarithmic);
    for (int i = 0; i < data.getSeriesCount(); i++) {
      renderer.setSeriesPaint(i, COLOURS[i % COLOURS.length]);
      renderer.setSeriesStroke(i, new BasicStroke(LINE));
    }
    plot.setRenderer(renderer);
    return svg(chart, CURVES);
  }

  private static LogAxis powers(String label) {
    LogAxis axis = new LogAxis(label);
    axis.setTickUnit(new NumberTickUnit(1)); // a power of ten
    axis.setNumberFormatOverride(
        new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
    return axis;
  }

  /** Without the XML declaration and the document type, which HTML has no place for. */
  private static String svg(JFreeChart chart, int height) throws IOException {
    chart.setBackgroundPaint(Color.WHITE);
    VectorGraphics2D graphics = new VectorGraphics2D();
    chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new SVGProcessor()
        .getDocument(graphics.getCommands(), new PageSize(0, 0, WIDTH, height))
        .writeTo(out);
    String text = out.toString(StandardCharsets.UTF_8);
    // Names of clips and the like are those of one document; a page has several.
    String name = "f" + Integer.toHexString(text.hashCode()) + "-";
    return text.substring(text.indexOf("<svg"))
        .replaceAll("id=\"", "id=\"" + name)
        .replaceAll("url\\(#", "url(#" + name)
        .replaceAll("href=\"#", "href=\"#" + name);
  }
}
