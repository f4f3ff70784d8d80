package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Root;
import io.everheap.codec.Codecs;
import io.everheap.collection.Undecodable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/**
 * An entry of a root that this JVM cannot decode, as a line of text or of JSON. The JSON line is
 * the entry as {@code dump} prints it, with the name of its root:
 *
 * <pre>
 * {"root": NAME, "key": KEY, "value": {"undecodable": REASON, "type": TYPE, "bytes": BASE64}}
 * {"root": NAME, "key": {"undecodable": ...}, "value": {"type": TYPE, "bytes": BASE64}}
 * {"root": NAME, "value": {"undecodable": ...}}
 * </pre>
 *
 * <p>The second form is for a key that does not decode, the third for an element of a set.
 */
record UndecodableEntry(Root root, Undecodable found) {
  /** Whether the key does not decode. A key of type bytes always does, whatever its value is. */
  private boolean isOfKey() {
    return found.position() instanceof byte[] key
        && Arrays.equals(key, found.bytes())
        && !Codecs.BYTES.name().equals(root.types().get("key"));
  }

  private boolean isOfSet() {
    return root.kind().endsWith("set");
  }

  String json() throws IOException {
    return Json.line(
        json -> {
          json.writeStartObject();
          json.writeStringField("root", root.name());
          writeKey(json);
          writeValue(json);
          json.writeEndObject();
        });
  }

  private void writeKey(JsonGenerator json) throws IOException {
    if (!isOfSet()) {
      json.writeFieldName("key");
      Json.write(json, isOfKey() ? found : found.position());
    }
  }

  private void writeValue(JsonGenerator json) throws IOException {
    json.writeFieldName("value");
    if (isOfKey() && !isOfSet()) {
      json.writeStartObject();
      json.writeStringField("type", root.types().get("value"));
      json.writeBinaryField("bytes", found.value());
      json.writeEndObject();
    } else {
      Json.write(json, found);
    }
  }

  String text() throws IOException {
    String position = isOfKey() ? isOfSet() ? "an element" : "a key" : Json.text(found.position());
    return String.format(
        Locale.ROOT, "%s, %s, %s: %s", root.name(), position, found.type(), firstCause());
  }

  /** What the codec or the class threw; the messages of the others repeat root and type. */
  private String firstCause() {
    Throwable cause = found.reason();
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
