package io.everheap.support.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table whose columns are as wide as their longest cell. The first columns hold text. */
final class Columns {
  private final int textColumns;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Makes an empty table.
   *
   * @param textColumns number of columns that are aligned to the left; the others hold numbers
   */
  Columns(int textColumns) {
    this.textColumns = textColumns;
  }

  void row(Object... cells) {
    var row = new ArrayList<String>();
    for (Object cell : cells) {
      row.add(cell.toString());
    }
    rows.add(row);
  }

  void print(PrintStream out) {
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        String padding = " ".repeat(width(i) - cell.length());
        line.append("  ").append(i < textColumns ? cell + padding : padding + cell);
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> row.size() > column)
        .mapToInt(row -> row.get(column).length())
        .max()
        .orElse(0);
  }
}
