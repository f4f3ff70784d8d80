package io.everheap.benchmarks.report;

import io.everheap.benchmarks.cache.CacheExperiment;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Table;
import java.util.List;
import java.util.Locale;

/** Tables of cases by peers in Markdown, for experiments with too many rows for one table. */
public final class PivotMarkdown {
  private PivotMarkdown() {}

  /**
   * Writes the tables of throughput, size and time; percentiles are in the HTML page only, except
   * those of caches.
   *
   * @param rows the experiment's
   * @return lines of text
   */
  public static String of(List<Measurement> rows) {
    StringBuilder out = new StringBuilder();
    for (Pivot pivot : Pivot.of(rows)) {
      boolean percentile = pivot.metric().endsWith("_us");
      if (!percentile || rows.getFirst().experiment().equals(CacheExperiment.NAME)) {
        table(out, pivot);
      }
    }
    return out.toString();
  }

  private static void table(StringBuilder out, Pivot pivot) {
    boolean compared = pivot.lines().stream().anyMatch(line -> pivot.lead(line) != null);
    out.append("#### ").append(pivot.title()).append("\n\n| case | threads |");
    pivot.peers().forEach(peer -> out.append(' ').append(peer).append(" |"));
    out.append(compared ? " everheap / best other |" : "");
    int numbers = pivot.peers().size() + (compared ? 2 : 1);
    out.append("\n| --- |").append(" ---: |".repeat(numbers)).append('\n');
    for (Pivot.Line line : pivot.lines()) {
      out.append("| ").append(line.name()).append(" | ").append(line.threads()).append(" |");
      pivot.peers().forEach(peer -> out.append(' ').append(cell(pivot, line, peer)).append(" |"));
      out.append(compared ? " " + lead(pivot, line) + " |\n" : "\n");
    }
    out.append('\n');
  }

  private static String cell(Pivot pivot, Pivot.Line line, String peer) {
    Measurement row = line.values().get(peer);
    if (row == null) {
      return "";
    }
    String value = Table.number(row.value());
    return peer.equals(pivot.best(line)) ? "**" + value + "**" : value;
  }

  private static String lead(Pivot pivot, Pivot.Line line) {
    Double lead = pivot.lead(line);
    if (lead == null) {
      return "";
    }
    boolean behind = pivot.most() ? lead < 1 : lead > 1;
    return String.format(Locale.ROOT, "%.2f%s", lead, behind ? " behind" : "");
  }
}
