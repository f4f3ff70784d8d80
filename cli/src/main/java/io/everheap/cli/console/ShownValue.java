package io.everheap.cli.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.codec.ObjectReference;
import io.everheap.collection.DescribedStructure;
import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
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

  /** Numbers with more digits are not converted to decimal. */
  private static final int MAX_DIGITS = 10_000;

  private static final int BITS_PER_DIGIT = 3;

  private final JsonGenerator json;
  private final Handles handles;
  private long size;
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
      case Number v -> cut("number", v, bits(v) / BITS_PER_DIGIT);
      case byte[] v -> cut("bytes", v, 2L * v.length);
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
      default -> {
        String text = value.toString();
        cut("text", text, text.length());
      }
    }
    json.writeEndArray();
    depth--;
  }

  /** Writes a value; returns the size of its texts and bytes. */
  long writeAll(@Nullable Object value) throws IOException {
    write(value);
    return size;
  }

  /** The bits of the digits of a number. */
  static int bits(Number number) {
    return switch (number) {
      case BigInteger v -> v.bitLength();
      case BigDecimal v -> v.unscaledValue().bitLength();
      default -> 0;
    };
  }

  /**
   * A text, bytes as hexadecimal digits, or a number, whose digits are not computed if they are
   * many: that takes a time that grows faster than their number.
   */
  static String text(Object thing, int most) {
    return switch (thing) {
      case byte[] bytes ->
          HexFormat.of().formatHex(bytes, 0, (int) Math.min(bytes.length, most / 2L));
      case Number number when bits(number) / BITS_PER_DIGIT > MAX_DIGITS ->
          "a number of " + bits(number) + " bits";
      default -> {
        String text = thing.toString();
        yield text.substring(0, Math.min(text.length(), most));
      }
    };
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

  /** Writes a text, bytes or a number of some length, or the beginning of it. */
  private void cut(String kind, Object thing, long length) throws IOException {
    size += length;
    if (length <= MOST_CHARACTERS) {
      pair(kind, text(thing, Integer.MAX_VALUE), "");
    } else {
      pair(kind, text(thing, MOST_CHARACTERS), handles.add(thing));
      json.writeNumber(length);
    }
  }

  private void pair(String kind, String shown, String id) throws IOException {
    json.writeString(kind);
    json.writeString(shown);
    json.writeString(id);
  }
}
