package io.everheap.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.everheap.codec.ObjectReference;
import io.everheap.collection.DescribedFields;
import io.everheap.collection.DescribedStructure;
import io.everheap.collection.Undecodable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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
 * Writes JSON. Decoded values become JSON as follows: numbers, strings, booleans and null as
 * themselves; characters, enums, dates, UUIDs, not-a-number and the negative zero as strings; bytes
 * as base64 strings; lists, sets and arrays as arrays; records and maps with string keys as
 * objects; other maps as arrays of objects with {@code key} and {@code value}. Nested structures
 * are written with their contents, down to a depth; below it, and for a freed structure, an object
 * describes it.
 */
public final class Json {
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private Json() {}

  /** Code that writes a document. */
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

  /** Creates a generator of one document a line; closing it leaves the target open. */
  public static JsonGenerator lines(Writer target) throws IOException {
    JsonGenerator json = FACTORY.createGenerator(target);
    return json.setPrettyPrinter(new MinimalPrettyPrinter(""));
  }

  /** A value on one line, in ASCII: characters that UTF-8 has not are escaped as well. */
  static String text(@Nullable Object value) throws IOException {
    return line(json -> write(json, value));
  }

  /** A document on one line, in ASCII. */
  static String line(Body body) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = lines(text)) {
      json.enable(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature());
      body.writeTo(json);
    }
    return text.toString();
  }

  static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    write(json, value, Detail.NONE);
  }

  /**
   * Writes a value.
   *
   * @param detail the depth to which structures and objects are written
   */
  static void write(JsonGenerator json, @Nullable Object value, Detail detail) throws IOException {
    switch (value) {
      case DescribedStructure v -> writeStructure(json, v, detail);
      case ObjectReference v -> writeObject(json, v, detail);
      case null -> json.writeNull();
      case Boolean v -> json.writeBoolean(v);
      case Byte v -> json.writeNumber(v.intValue());
      case Short v -> json.writeNumber(v.intValue());
      case Integer v -> json.writeNumber(v);
      case Long v -> json.writeNumber(v);
      case Float v when v.equals(-0.0f) -> json.writeString("-0.0"); // decimals have no such zero
      case Double v when v.equals(-0.0) -> json.writeString("-0.0");
      case Float v -> json.writeNumber(v);
      case Double v -> json.writeNumber(v);
      case BigInteger v -> json.writeNumber(v);
      case BigDecimal v -> json.writeNumber(v);
      case Undecodable v -> writeUndecodable(json, v);
      case byte[] v -> json.writeBinary(v);
      case Optional<?> v -> write(json, v.orElse(null), detail);
      case Map<?, ?> v -> writeMap(json, v, detail);
      case Iterable<?> v -> {
        json.writeStartArray();
        for (Object element : v) {
          write(json, element, detail);
        }
        json.writeEndArray();
      }
      case Object array when array.getClass().isArray() -> {
        json.writeStartArray();
        for (int i = 0; i < Array.getLength(array); i++) {
          write(json, Array.get(array, i), detail);
        }
        json.writeEndArray();
      }
      default -> json.writeString(value.toString());
    }
  }

  /** A value that cannot be decoded: the reason, and the stored bytes in Base64. */
  private static void writeUndecodable(JsonGenerator json, Undecodable value) throws IOException {
    json.writeStartObject();
    json.writeStringField("undecodable", value.toString());
    json.writeStringField("type", value.type());
    json.writeBinaryField("bytes", value.bytes());
    json.writeEndObject();
  }

  private static void writeStructure(
      JsonGenerator json, DescribedStructure structure, Detail detail) throws IOException {
    if (!detail.hasStructures() || structure.isStale()) {
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
    Detail within = detail.withinStructure();
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
          write(json, entry.getValue(), within);
        } else if (structure.hasKeys()) {
          writeEntry(json, entry, within);
        } else {
          write(json, entry.getValue(), within);
        }
      }
    }
    if (object) {
      json.writeEndObject();
    } else {
      json.writeEndArray();
    }
  }

  /**
   * An object with {@code @object}, its type and address, and its fields; those that are not
   * followed, or were printed before, are only named.
   */
  private static void writeObject(JsonGenerator json, ObjectReference object, Detail detail)
      throws IOException {
    Optional<DescribedFields> found =
        detail.hasObjects() && detail.isFirst(object) ? detail.fields(object) : null;
    if (found == null) {
      json.writeString(object.toString());
      return;
    }
    json.writeStartObject();
    if (found.isEmpty()) {
      json.writeStringField("@object", object.toString());
      json.writeBooleanField("stale", true);
    } else {
      DescribedFields fields = found.get();
      ObjectReference exact = new ObjectReference(fields.type(), object.reference());
      json.writeStringField("@object", exact.toString());
      for (Map.Entry<Object, Object> field : fields.values().entrySet()) {
        json.writeFieldName((String) field.getKey());
        write(json, field.getValue(), detail.withinObject());
      }
    }
    json.writeEndObject();
  }

  private static void writeMap(JsonGenerator json, Map<?, ?> map, Detail detail)
      throws IOException {
    if (map.keySet().stream().allMatch(String.class::isInstance)) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeFieldName((String) entry.getKey());
        write(json, entry.getValue(), detail);
      }
      json.writeEndObject();
    } else {
      json.writeStartArray();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        writeEntry(json, entry, detail);
      }
      json.writeEndArray();
    }
  }

  /** An object with {@code key} and {@code value}. */
  static void writeEntry(JsonGenerator json, Map.Entry<?, ?> entry, Detail detail)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("key");
    write(json, entry.getKey(), detail);
    json.writeFieldName("value");
    write(json, entry.getValue(), detail);
    json.writeEndObject();
  }
}
