package io.everheap.cli.console;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.everheap.cli.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Writes one JSON object for the page. */
final class Page {
  private Page() {}

  /** Code that writes the fields. */
  @FunctionalInterface
  interface Fields {
    void writeTo(JsonGenerator json) throws IOException;
  }

  static String json(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = Json.lines(text)) {
      // A half of a surrogate pair has no form in UTF-8.
      json.enable(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature());
      json.writeStartObject();
      fields.writeTo(json);
      json.writeEndObject();
    } catch (IOException e) { // of a writer to memory
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
