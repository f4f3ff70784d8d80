package io.everheap.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Rows in columns that are as wide as they need to be, two blanks apart. */
final class Table {
  private final List<String[]> rows = new ArrayList<>();
  private final BitSet right = new BitSet();
  private final int columns;

  Table(String... header) {
    columns = header.length;
    rows.add(header);
  }

  /** Aligns a column to the right. */
  Table right(int column) {
    right.set(column);
    return this;
  }

  void row(String... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(cells.length + " cells in a table of " + columns);
    }
    rows.add(cells);
  }

  void print(PrintWriter out) {
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String space = " ".repeat(widths[i] - row[i].length());
        line.append(right.get(i) ? space + row[i] : row[i] + space).append("  ");
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
