package io.everheap.benchmarks.report;

import com.google.gson.JsonObject;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Table;
import io.everheap.benchmarks.result.Target;
import java.util.List;
import java.util.Map;

/** Runs of an experiment in Markdown: their tables, and what they were measured on. */
public final class ExperimentMarkdown {
  /** An experiment with more rows than this has tables of cases by peers. */
  private static final int MANY = 100;

  private ExperimentMarkdown() {}

  /**
   * Writes the runs.
   *
   * @param runs their results
   * @param targets the experiment's
   * @return lines of text
   */
  public static String of(List<ResultFiles> runs, List<Target> targets) {
    boolean pivots = isLarge(runs);
    StringBuilder text = new StringBuilder();
    for (ResultFiles run : runs) {
      List<Measurement> rows = run.rows();
      text.append(pivots ? PivotMarkdown.of(rows) : new Table(rows, targets).markdown() + "\n");
      text.append("Measured on:\n\n");
      run.environment().forEach((name, value) -> fact(text, name, value));
      text.append('\n');
    }
    return text.toString();
  }

  /**
   * Tells whether an experiment has too many rows for one table.
   *
   * @param runs its runs
   */
  static boolean isLarge(List<ResultFiles> runs) {
    return runs.stream().mapToInt(run -> run.rows().size()).sum() > MANY;
  }

  private static void fact(StringBuilder text, String name, Object value) {
    if (value instanceof JsonObject facts) {
      for (Map.Entry<String, ?> each : facts.entrySet()) {
        fact(text, name + " " + each.getKey(), facts.get(each.getKey()).getAsString());
      }
    } else {
      String escaped = value.toString().replace("<", "&lt;");
      text.append("- ").append(name).append(": ").append(escaped).append('\n');
    }
  }
}
