package io.everheap.cli.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.codec.ObjectReference;
import io.everheap.collection.DescribedStructure;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a value for the page: an array of its kind and what is shown of it, never a number or text
 * that the page would have to interpret. What is long is cut: texts can be asked for, and of the
 * parts of a value a bounded number is written.
 */
final class ShownValue {
  private static final int MOST_CHARACTERS = 200;
  private static final int MOST_PARTS = 300;
  private static final int MOST_DEPTH = 12;

  private final JsonGenerator json;
  private final Handles handles;
  private int parts;
  private int depth;

  ShownValue(JsonGenerator json, Handles handles) {
    this.json = json;
    this.handles = handles;
  }

  void write(@Nullable Object value) throws IOException {
    parts++;
    depth++;
    json.writeStartArray();
    switch (value) {
      case null -> json.writeString("null");
      case ObjectReference object -> pair("object", object.toString(), handles.add(object));
      case DescribedStructure v when v.isStale() -> pair("stale", v.type(), "");
      case DescribedStructure v ->
          pair("structure", v.type() + " (" + v.size() + ")", handles.add(v));
      case Boolean v -> pair("boolean", v.toString(), "");
      case Number v -> text("number", v.toString());
      case byte[] v -> text("bytes", HexFormat.of().formatHex(v));
      case Optional<?> v -> {
        json.writeString("list");
        json.writeStartArray();
        if (v.isPresent()) {
          write(v.get());
        }
        json.writeEndArray();
      }
      case Map<?, ?> v -> map(v);
      case Iterable<?> v -> list(v);
      case Object array when array.getClass().isArray() -> array(array);
      default -> text("text", value.toString());
    }
    json.writeEndArray();
    depth--;
  }

  private boolean isFull() {
    return parts >= MOST_PARTS || depth >= MOST_DEPTH;
  }

  private void map(Map<?, ?> map) throws IOException {
    json.writeString("fields");
    json.writeStartArray();
    int left = map.size();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (isFull()) {
        break;
      }
      json.writeStartArray();
      write(entry.getKey());
      write(entry.getValue());
      json.writeEndArray();
      left--;
    }
    json.writeEndArray();
    json.writeNumber(left);
  }

  private void list(Iterable<?> list) throws IOException {
    json.writeString("list");
    json.writeStartArray();
    int left = 0;
    for (Object element : list) {
      if (isFull()) {
        left++;
      } else {
        write(element);
      }
    }
    json.writeEndArray();
    json.writeNumber(left);
  }

  private void array(Object array) throws IOException {
    json.writeString("list");
    json.writeStartArray();
    int length = Array.getLength(array);
    int i = 0;
    for (; i < length && !isFull(); i++) {
      write(Array.get(array, i));
    }
    json.writeEndArray();
    json.writeNumber(length - i);
  }

  private void text(String kind, String text) throws IOException {
    if (text.length() <= MOST_CHARACTERS) {
      pair(kind, text, "");
    } else {
      pair(kind, text.substring(0, MOST_CHARACTERS), handles.add(text));
      json.writeNumber(text.length());
    }
  }

  private void pair(String kind, String shown, String id) throws IOException {
    json.writeString(kind);
    json.writeString(shown);
    json.writeString(id);
  }
}
