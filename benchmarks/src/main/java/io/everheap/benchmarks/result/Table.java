package io.everheap.benchmarks.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of an experiment as a table, for the terminal, for Markdown and as TSV. */
public final class Table {
  private static final List<String> HEADINGS =
      List.of(
          "case",
          "peer",
          "level",
          "medium",
          "threads",
          "metric",
          "value",
          "spread",
          "ratio to floor",
          "target met");

  private final List<List<String>> lines = new ArrayList<>();

  /**
   * Makes the table.
   *
   * @param rows the rows
   * @param targets the experiment's
   */
  public Table(List<Measurement> rows, List<Target> targets) {
    for (Measurement row : rows) {
      lines.add(
          List.of(
              row.name(),
              row.peer(),
              row.durability().name(),
              row.medium(),
              Integer.toString(row.threads()),
              row.metric(),
              number(row.value()),
              number(row.spread().min()) + " - " + number(row.spread().max()),
              ratio(row.ratioToFloor()),
              targets.stream()
                  .filter(t -> t.concerns(row))
                  .map(t -> t.verdict(row, rows))
                  .collect(Collectors.joining("; "))));
    }
  }

  /**
   * Lays the table out in columns.
   *
   * @return lines of text
   */
  public String text() {
    int[] widths = new int[HEADINGS.size()];
    for (List<String> line : withHeadings()) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (List<String> line : withHeadings()) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = line.get(i);
        String padding = " ".repeat(widths[i] - cell.length());
        text.append(isNumber(i) ? padding + cell : cell + padding).append("  ");
      }
      out.append(text.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }

  /**
   * Writes the table in Markdown.
   *
   * @return lines of text
   */
  public String markdown() {
    StringBuilder out = new StringBuilder();
    line(out, HEADINGS);
    List<String> rule = new ArrayList<>();
    for (int i = 0; i < HEADINGS.size(); i++) {
      rule.add(isNumber(i) ? "---:" : "---");
    }
    line(out, rule);
    lines.forEach(line -> line(out, line));
    return out.toString();
  }

  /**
   * Writes the table with tabs between the cells.
   *
   * @return lines of text
   */
  public String tsv() {
    return withHeadings().stream()
        .map(line -> String.join("\t", line) + "\n")
        .collect(Collectors.joining());
  }

  private List<List<String>> withHeadings() {
    List<List<String>> all = new ArrayList<>();
    all.add(HEADINGS);
    all.addAll(lines);
    return all;
  }

  private static void line(StringBuilder out, List<String> cells) {
    out.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static boolean isNumber(int column) {
    return column == 4 || (column >= 6 && column <= 8);
  }

  private static String ratio(@Nullable Double ratio) {
    return ratio == null ? "" : String.format(Locale.ROOT, ratio < 10 ? "%.2f" : "%.1f", ratio);
  }

  /**
   * Writes a number with four digits at most behind the point, and none if it is large.
   *
   * @param value the number
   */
  public static String number(double value) {
    double size = Math.abs(value);
    String format =
        size >= 1000
            ? "%,.0f"
            : size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.4f";
    return String.format(Locale.ROOT, format, value);
  }
}
