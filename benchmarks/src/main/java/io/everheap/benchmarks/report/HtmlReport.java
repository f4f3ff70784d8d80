package io.everheap.benchmarks.report;

import io.everheap.benchmarks.cache.CacheExperiment;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Series;
import io.everheap.benchmarks.result.Table;
import io.everheap.benchmarks.result.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Writes the page. */
public final class HtmlReport {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Everheap: benchmark results</title>
      <style>
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em;
        color: #222; background: #fff; }
      table { border-collapse: collapse; margin: 1em 0; font-size: 13px; }
      th, td { padding: .25em .7em; border-bottom: 1px solid #ddd; text-align: left; }
      td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
      td.best { font-weight: bold; background: #e8f2fa; }
      small { color: #777; }
      .wide { overflow-x: auto; }
      svg { max-width: 100%; height: auto; }
      dt { font-weight: bold; }
      </style>
      </head>
      <body>
      <h1>Everheap: benchmark results</h1>
      <p>Each table holds rows of one level of durability on one medium: <b>V</b> volatile,
      <b>P</b> survives the end of the process, <b>S</b> survives the loss of power for each
      operation that returned. Tables of caches hold several levels, which their columns name. A
      value is the median of its rounds; the smaller numbers are the least and the greatest. The
      best value of a line is marked.</p>
      """;

  private final Function<String, List<Target>> targets;
  private final StringBuilder page = new StringBuilder(HEAD);

  /**
   * Makes an empty page.
   *
   * @param targets finds the targets of an experiment
   */
  public HtmlReport(Function<String, List<Target>> targets) {
    this.targets = targets;
  }

  /**
   * Adds a run.
   *
   * @param results its results
   * @param series its curves
   * @throws IOException if a picture cannot be drawn
   */
  public void add(ResultFiles results, List<Series> series) throws IOException {
    for (String name : results.rows().stream().map(Measurement::experiment).distinct().toList()) {
      List<Measurement> rows =
          results.rows().stream().filter(row -> row.experiment().equals(name)).toList();
      page.append("<h2>").append(escape(name)).append("</h2>\n");
      curves(series.stream().filter(s -> s.experiment().equals(name)).toList(), false);
      curves(ScalingCurves.of(rows), true);
      for (Pivot pivot : Pivot.of(rows)) {
        table(pivot);
        figures(pivot);
      }
      targets(rows, targets.apply(name));
    }
    environment(results.environment());
  }

  private void curves(List<Series> series, boolean logarithmic) throws IOException {
    Map<String, List<Series>> groups = new LinkedHashMap<>();
    for (Series each : series) {
      groups
          .computeIfAbsent(
              each.experiment().equals(CacheExperiment.NAME)
                  ? each.name()
                  : String.format(
                      Locale.ROOT,
                      "%s, level %s, %s",
                      each.name(),
                      each.durability(),
                      each.medium()),
              name -> new ArrayList<>())
          .add(each);
    }
    for (Map.Entry<String, List<Series>> group : groups.entrySet()) {
      figure(Figures.lines(group.getKey(), group.getValue(), logarithmic));
    }
  }

  private void figure(String svg) {
    page.append("<figure>").append(svg).append("</figure>\n");
  }

  private void table(Pivot pivot) {
    page.append("<h3>").append(escape(pivot.title())).append("</h3>\n<div class=\"wide\"><table>");
    page.append("<tr><th>case</th><th class=\"n\">threads</th>");
    pivot.peers().forEach(peer -> page.append("<th class=\"n\">").append(escape(peer)));
    page.append("</tr>\n");
    for (Pivot.Line line : pivot.lines()) {
      page.append("<tr><td>").append(escape(line.name())).append("</td>");
      page.append("<td class=\"n\">").append(line.threads()).append("</td>");
      pivot.peers().forEach(peer -> cell(pivot, line, peer));
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  private void cell(Pivot pivot, Pivot.Line line, String peer) {
    Measurement row = line.values().get(peer);
    if (row == null) {
      page.append("<td></td>");
      return;
    }
    page.append(peer.equals(pivot.best(line)) ? "<td class=\"n best\">" : "<td class=\"n\">")
        .append(Table.number(row.value()))
        .append(" <small>")
        .append(Table.number(row.spread().min()))
        .append("&ndash;")
        .append(Table.number(row.spread().max()))
        .append("</small></td>");
  }

  /** Pictures of throughput; sizes and times of so many cases are in the tables only. */
  private void figures(Pivot pivot) throws IOException {
    if (!pivot.metric().equals(Case.OPS_PER_S)) {
      return;
    }
    for (Pivot.Line line : pivot.lines()) {
      List<Measurement> rows = List.copyOf(line.values().values());
      if (rows.size() > 1) {
        String title =
            String.format(
                Locale.ROOT, "%s: %s, threads: %d", line.name(), pivot.title(), line.threads());
        figure(Figures.bars(title, pivot.metric(), rows));
      }
    }
  }

  private void targets(List<Measurement> rows, List<Target> all) {
    List<String> lines = new ArrayList<>();
    for (Measurement row : rows) {
      for (Target target : all) {
        if (target.concerns(row)) {
          lines.add(
              String.format(
                  Locale.ROOT,
                  "%s, %s, %s, %d threads: %s",
                  row.name(),
                  row.peer(),
                  row.durability(),
                  row.threads(),
                  target.verdict(row, rows)));
        }
      }
    }
    if (!lines.isEmpty()) {
      page.append("<h3>Targets</h3>\n<ul>\n");
      lines.forEach(line -> page.append("<li>").append(escape(line)).append("</li>\n"));
      page.append("</ul>\n");
    }
  }

  private void environment(Map<String, Object> environment) {
    page.append("<h3>Measured on</h3>\n<dl>\n");
    environment.forEach(
        (name, value) ->
            page.append("<dt>")
                .append(escape(name))
                .append("</dt><dd>")
                .append(escape(value.toString()))
                .append("</dd>\n"));
    page.append("</dl>\n");
  }

  /** Ends the page. */
  public String html() {
    return page + "</body>\n</html>\n";
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
