package io.everheap.cli;

import io.everheap.codec.Codec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An export as JSON lines: {@code {"everheap": "export", "version": 1}}, then for each root {@code
 * {"root": ..., "kind": ..., "types": {...}, "entries": N}} and N lines, {@code {"key": ...,
 * "value": ...}} or {@code {"value": ...}}.
 */
final class JsonTransfer {
  private static final String FIRST = "{\"everheap\":\"export\",\"version\":1}";

  private JsonTransfer() {}

  /** Writes such lines. */
  static final class Out implements TransferWriter {
    private final PrintWriter out;

    Out(PrintWriter out) {
      this.out = out;
      out.println(FIRST);
    }

    @Override
    public void root(ExportedRoot root) throws IOException {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("root", root.name());
      line.put("kind", root.kind());
      line.put("types", root.types());
      line.put("entries", root.entries());
      out.println(Json.text(line));
    }

    @Override
    public void entry(ExportedRoot root, Object key, Object value) throws IOException {
      out.print(root.hasKeys() ? "{\"key\":" + Json.text(key) + "," : "{");
      out.println("\"value\":" + Json.text(value) + "}");
    }
  }

  /** Reads such lines. */
  static final class In implements TransferReader {
    private final BufferedReader in;

    In(BufferedReader in) throws IOException {
      this.in = in;
      if (!FIRST.equals(line())) {
        throw new RefusedException("this is no export of version 1 in JSON lines");
      }
    }

    @Override
    public @Nullable ExportedRoot root() throws IOException {
      String line = line();
      if (line == null) {
        return null;
      }
      Map<?, ?> given = object(line);
      if (given.get("root") instanceof String name
          && given.get("kind") instanceof String kind
          && given.get("types") instanceof Map<?, ?> types
          && given.get("entries") instanceof BigDecimal entries
          && isCount(entries)) {
        Map<String, String> names = new LinkedHashMap<>();
        types.forEach((part, type) -> names.put(String.valueOf(part), String.valueOf(type)));
        return new ExportedRoot(name, kind, names, entries.longValueExact());
      }
      throw new RefusedException("a root was expected, not " + ExportedRoot.shown(line));
    }

    private static boolean isCount(BigDecimal number) {
      return number.signum() >= 0
          && number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
          && number.stripTrailingZeros().scale() <= 0;
    }

    @Override
    public TransferEntry entry(ExportedRoot root) throws IOException {
      String line = line();
      if (line == null) {
        throw new RefusedException("the file ends within " + root.name());
      }
      Map<?, ?> given = object(line);
      if (!given.containsKey("value") || given.containsKey("key") != root.hasKeys()) {
        throw new RefusedException("an entry was expected, not " + ExportedRoot.shown(line));
      }
      return new TransferEntry() {
        @Override
        public @Nullable Object key(Codec<?> codec) {
          return JsonValues.value(codec, given.get("key"));
        }

        @Override
        public @Nullable Object value(Codec<?> codec) {
          return JsonValues.value(codec, given.get("value"));
        }
      };
    }

    /** The next line; null at the end. */
    private @Nullable String line() throws IOException {
      int c = in.read();
      if (c < 0) {
        return null;
      }
      StringBuilder line = new StringBuilder();
      for (; c >= 0 && c != '\n'; c = in.read()) {
        line.append((char) c);
        ExportedRoot.requireShort(line.length());
      }
      int end = line.length() - 1;
      return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
    }

    private static Map<?, ?> object(String line) {
      if (JsonTree.parse(line) instanceof Map<?, ?> object) {
        return object;
      }
      throw new RefusedException("not an object: " + ExportedRoot.shown(line));
    }
  }
}
