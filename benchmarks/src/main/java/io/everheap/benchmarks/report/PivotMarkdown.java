package io.everheap.benchmarks.report;

import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Table;
import java.util.List;

/** Tables of peers by cases in Markdown, for experiments with too many rows for one table. */
public final class PivotMarkdown {
  private PivotMarkdown() {}

  /**
   * Writes the tables of throughput, size and time; percentiles are in the page.
   *
   * @param rows the experiment's
   * @return lines of text
   */
  public static String of(List<Measurement> rows) {
    StringBuilder out = new StringBuilder();
    for (Pivot pivot : Pivot.of(rows)) {
      if (pivot.metric().endsWith("_us")) {
        continue;
      }
      out.append("#### ").append(pivot.title()).append("\n\n| peer |");
      pivot.cases().forEach(name -> out.append(' ').append(name).append(" |"));
      out.append("\n| --- |").append(" ---: |".repeat(pivot.cases().size())).append('\n');
      for (Pivot.Line line : pivot.peers()) {
        out.append("| ").append(line.peer()).append(" |");
        for (String name : pivot.cases()) {
          out.append(' ').append(cell(pivot, line, name)).append(" |");
        }
        out.append('\n');
      }
      out.append('\n');
    }
    return out.toString();
  }

  private static String cell(Pivot pivot, Pivot.Line line, String name) {
    Measurement row = line.values().get(name);
    if (row == null) {
      return "";
    }
    String value = Table.number(row.value());
    return line.peer().equals(pivot.best(name)) ? "**" + value + "**" : value;
  }
}
