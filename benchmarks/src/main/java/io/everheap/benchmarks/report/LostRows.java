package io.everheap.benchmarks.report;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Target;
import java.util.List;

/** The rows of this library that miss a target, as a list in Markdown. */
public final class LostRows {
  private LostRows() {}

  /**
   * Writes the list.
   *
   * @param rows the experiment's
   * @param targets its targets
   * @return lines of text; none if all is met
   */
  public static String of(List<Measurement> rows, List<Target> targets) {
    StringBuilder out = new StringBuilder();
    for (Measurement row : rows) {
      for (Target target : targets) {
        if (row.peer().startsWith(Case.EVERHEAP) && target.concerns(row)) {
          String verdict = target.verdict(row, rows);
          if (verdict.contains(": NO")) {
            out.append(
                "- %s, %s, %s, %s, level %s, %s: %s%n"
                    .formatted(
                        row.name(),
                        row.peer(),
                        row.metric(),
                        row.threads() == 1 ? "1 thread" : row.threads() + " threads",
                        row.durability(),
                        row.medium(),
                        verdict));
          }
        }
      }
    }
    return out.isEmpty() ? "" : "Targets missed:\n\n" + out + "\n";
  }
}
