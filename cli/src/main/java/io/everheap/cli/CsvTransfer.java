package io.everheap.cli;

import io.everheap.codec.Codec;
import io.everheap.codec.described.DescribedEnum;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An export as CSV (RFC 4180): {@code everheap,export,1}, then for each root {@code root,NAME,KIND,
 * ENTRIES,PART,TYPE,...} and its rows, {@code entry,KEY,VALUE} or {@code entry,VALUE}. Cells are
 * the arguments of {@code put}: text as it stands, or JSON.
 */
final class CsvTransfer {
  private static final List<String> FIRST = List.of("everheap", "export", "1");

  private CsvTransfer() {}

  /** Writes such rows. */
  static final class Out implements TransferWriter {
    private final PrintWriter out;

    Out(PrintWriter out) {
      this.out = out;
      row(FIRST);
    }

    @Override
    public void root(ExportedRoot root) {
      List<String> cells = new ArrayList<>();
      cells.addAll(List.of("root", root.name(), root.kind(), Long.toString(root.entries())));
      root.types()
          .forEach(
              (part, type) -> {
                cells.add(part);
                cells.add(type);
              });
      row(cells);
    }

    @Override
    public void entry(ExportedRoot root, Object key, Object value) throws IOException {
      Codec<Object> keys = root.keys();
      row(
          keys == null
              ? List.of("entry", cell(root.values(), value))
              : List.of("entry", cell(keys, key), cell(root.values(), value)));
    }

    private void row(List<String> cells) {
      StringBuilder row = new StringBuilder();
      for (String cell : cells) {
        row.append(row.isEmpty() ? "" : ",").append(quoted(cell));
      }
      out.print(row.append("\r\n"));
    }

    private static String quoted(String cell) {
      return cell.isEmpty() || cell.chars().anyMatch(c -> ",\"\r\n".indexOf(c) >= 0)
          ? '"' + cell.replace("\"", "\"\"") + '"'
          : cell;
    }
  }

  /** The argument of put for a value: a text without JSON's quotation marks where that is clear. */
  private static String cell(Codec<?> codec, Object value) throws IOException {
    String json = Json.text(value);
    boolean text = Scalars.isText(codec) || codec instanceof DescribedEnum;
    return text && value.toString().equals(JsonTree.parse(json)) && isPlain(value.toString())
        ? value.toString()
        : json;
  }

  private static boolean isPlain(String text) {
    return !text.startsWith("\"")
        && text.chars().noneMatch(Character::isISOControl)
        && isWhole(text);
  }

  private static boolean isWhole(String text) {
    return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  /** Reads such rows. */
  static final class In implements TransferReader {
    private final BufferedReader in;

    In(BufferedReader in) throws IOException {
      this.in = in;
      if (!FIRST.equals(row())) {
        throw new RefusedException("this is no export of version 1 as CSV");
      }
    }

    @Override
    public @Nullable ExportedRoot root() throws IOException {
      List<String> row = row();
      if (row == null) {
        return null;
      }
      if (row.size() < 4
          || row.size() % 2 != 0
          || !row.getFirst().equals("root")
          || !row.get(3).matches("[0-9]{1,18}")) {
        throw new RefusedException(
            "a root was expected, not " + ExportedRoot.shown(row.toString()));
      }
      Map<String, String> types = new LinkedHashMap<>();
      for (int i = 4; i < row.size(); i += 2) {
        types.put(row.get(i), row.get(i + 1));
      }
      return new ExportedRoot(row.get(1), row.get(2), types, Long.parseLong(row.get(3)));
    }

    @Override
    public TransferEntry entry(ExportedRoot root) throws IOException {
      List<String> row = row();
      if (row == null) {
        throw new RefusedException("the file ends within " + root.name());
      }
      if (row.size() != (root.hasKeys() ? 3 : 2) || !row.getFirst().equals("entry")) {
        throw new RefusedException(
            "an entry was expected, not " + ExportedRoot.shown(row.toString()));
      }
      return new TransferEntry() {
        @Override
        public @Nullable Object key(Codec<?> codec) {
          return JsonValues.parse(codec, row.get(1));
        }

        @Override
        public @Nullable Object value(Codec<?> codec) {
          return JsonValues.parse(codec, row.getLast());
        }
      };
    }

    /** The cells of the next row; null at the end. */
    private @Nullable List<String> row() throws IOException {
      int c = in.read();
      if (c < 0) {
        return null;
      }
      List<String> cells = new ArrayList<>();
      StringBuilder cell = new StringBuilder();
      boolean quoted = false;
      int length = 0;
      for (; c >= 0 && (quoted || c != '\n'); c = in.read()) {
        ExportedRoot.requireShort(++length);
        if (c == '"') {
          if (quoted && peek() == '"') {
            cell.append((char) in.read());
          } else {
            quoted = !quoted;
          }
        } else if (c == ',' && !quoted) {
          cells.add(cell.toString());
          cell.setLength(0);
        } else if (quoted || c != '\r') {
          cell.append((char) c);
        }
      }
      if (quoted) {
        throw new RefusedException("the file ends within a cell");
      }
      cells.add(cell.toString());
      return cells;
    }

    private int peek() throws IOException {
      in.mark(1);
      int next = in.read();
      in.reset();
      return next;
    }
  }
}
