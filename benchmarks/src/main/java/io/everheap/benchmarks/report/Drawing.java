package io.everheap.benchmarks.report;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.everheap.benchmarks.result.Case;
import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.CategoryDataset;

/** The common parts of all pictures: colours, axes, bars, and their text as SVG. */
final class Drawing {
  /** The colour of this library. */
  static final Color OWN = new Color(0x0072B2);

  /** The colour of floors, and of all other peers together. */
  static final Color OTHER = new Color(0x999999);

  /** The width of a picture for a page. */
  static final int WIDTH = 900;

  /** Of other peers; distinguishable with any kind of colour vision (Okabe and Ito, 2008). */
  private static final Color[] COLOURS = {
    new Color(0xE69F00),
    new Color(0x009E73),
    new Color(0xD55E00),
    new Color(0xCC79A7),
    new Color(0x56B4E9),
    new Color(0x000000),
    new Color(0xF0E442)
  };

  static {
    System.setProperty("java.awt.headless", "true");
  }

  private Drawing() {}

  /**
   * The colour of a series.
   *
   * @param peer its name, which may go on with a level
   * @param series its number
   */
  static Color colour(Object peer, int series) {
    String name = peer.toString();
    if (name.startsWith(Case.EVERHEAP)) {
      return OWN;
    }
    return name.equals(Case.FLOOR) ? OTHER : COLOURS[series % COLOURS.length];
  }

  /** Makes a plot white, without a frame. */
  static void plain(Plot plot) {
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlineVisible(false);
  }

  /** A logarithmic axis with a label at each power of ten. */
  static LogAxis powers(String label) {
    LogAxis axis = new LogAxis(label);
    axis.setTickUnit(new NumberTickUnit(1)); // a power of ten
    axis.setNumberFormatOverride(
        new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
    return axis;
  }

  /** A chart of horizontal bars without shadows and gradients. */
  static JFreeChart bars(String title, String axis, CategoryDataset data, boolean legend) {
    JFreeChart chart =
        ChartFactory.createBarChart(
            title, null, axis, data, PlotOrientation.HORIZONTAL, legend, false, false);
    CategoryPlot plot = chart.getCategoryPlot();
    plain(plot);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    BarRenderer renderer = (BarRenderer) plot.getRenderer();
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    return chart;
  }

  /** Draws a chart, without the XML declaration and document type, which HTML has no place for. */
  static String svg(JFreeChart chart, int width, int height) throws IOException {
    chart.setBackgroundPaint(Color.WHITE);
    VectorGraphics2D graphics = new VectorGraphics2D();
    chart.draw(graphics, new Rectangle2D.Double(0, 0, width, height));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new SVGProcessor()
        .getDocument(graphics.getCommands(), new PageSize(0, 0, width, height))
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
