package io.everheap.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.everheap.collection.DescribedStructure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON. Decoded values become JSON as follows: numbers, strings, booleans and null as such;
 * characters, enums, dates, UUIDs and not-a-number as strings; bytes as base64 strings; lists, sets
 * and arrays as arrays; records and maps with string keys as objects; other maps as arrays of
 * objects with {@code key} and {@code value}. Nested structures are written as what they hold, down
 * to a depth; below it, and where a structure was freed, stands an object that says what it is.
 */
final class Json {
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private Json() {}

  /** What writes a document. */
  @FunctionalInterface
  interface Body {
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** Prints one document, indented. */
  static void document(PrintWriter target, Body body) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(target)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      body.writeTo(json);
    }
    target.println();
    target.flush();
  }

  /** Documents of one line each; closing leaves the target open. */
  static JsonGenerator lines(Writer target) throws IOException {
    JsonGenerator json = FACTORY.createGenerator(target);
    return json.setPrettyPrinter(new MinimalPrettyPrinter(""));
  }

  static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    write(json, value, 0);
  }

  /**
   * Writes a value.
   *
   * @param depth levels of nested structures that are written as what they hold
   */
  static void write(JsonGenerator json, @Nullable Object value, int depth) throws IOException {
    switch (value) {
      case DescribedStructure v -> writeStructure(json, v, depth);
      case null -> json.writeNull();
      case Boolean v -> json.writeBoolean(v);
      case Byte v -> json.writeNumber(v.intValue());
      case Short v -> json.writeNumber(v.intValue());
      case Integer v -> json.writeNumber(v);
      case Long v -> json.writeNumber(v);
      case Float v -> json.writeNumber(v);
      case Double v -> json.writeNumber(v);
      case BigInteger v -> json.writeNumber(v);
      case BigDecimal v -> json.writeNumber(v);
      case byte[] v -> json.writeBinary(v);
      case Optional<?> v -> write(json, v.orElse(null), depth);
      case Map<?, ?> v -> writeMap(json, v);
      case Iterable<?> v -> {
        json.writeStartArray();
        for (Object element : v) {
          write(json, element);
        }
        json.writeEndArray();
      }
      case Object array when array.getClass().isArray() -> {
        json.writeStartArray();
        for (int i = 0; i < Array.getLength(array); i++) {
          write(json, Array.get(array, i));
        }
        json.writeEndArray();
      }
      default -> json.writeString(value.toString());
    }
  }

  private static void writeStructure(JsonGenerator json, DescribedStructure structure, int depth)
      throws IOException {
    if (depth == 0 || structure.isStale()) {
      json.writeStartObject();
      json.writeStringField("type", structure.type());
      if (structure.isStale()) {
        json.writeBooleanField("stale", true);
      } else {
        json.writeNumberField("size", structure.size());
      }
      json.writeEndObject();
      return;
    }
    boolean object = structure.hasTextKeys();
    if (object) {
      json.writeStartObject();
    } else {
      json.writeStartArray();
    }
    try (Stream<Map.Entry<Object, Object>> entries = structure.entries()) {
      for (Iterator<Map.Entry<Object, Object>> i = entries.iterator(); i.hasNext(); ) {
        Map.Entry<Object, Object> entry = i.next();
        if (object) {
          json.writeFieldName((String) entry.getKey());
          write(json, entry.getValue(), depth - 1);
        } else if (structure.hasKeys()) {
          writeEntry(json, entry, depth - 1);
        } else {
          write(json, entry.getValue(), depth - 1);
        }
      }
    }
    if (object) {
      json.writeEndObject();
    } else {
      json.writeEndArray();
    }
  }

  private static void writeMap(JsonGenerator json, Map<?, ?> map) throws IOException {
    if (map.keySet().stream().allMatch(String.class::isInstance)) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeFieldName((String) entry.getKey());
        write(json, entry.getValue());
      }
      json.writeEndObject();
    } else {
      json.writeStartArray();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        writeEntry(json, entry, 0); // values of collections are no structures
      }
      json.writeEndArray();
    }
  }

  /** An object with {@code key} and {@code value}. */
  static void writeEntry(JsonGenerator json, Map.Entry<?, ?> entry, int depth) throws IOException {
    json.writeStartObject();
    json.writeFieldName("key");
    write(json, entry.getKey());
    json.writeFieldName("value");
    write(json, entry.getValue(), depth);
    json.writeEndObject();
  }
}
