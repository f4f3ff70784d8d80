package io.everheap.cli.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintWriter;

/** The result of a demo as JSON. */
final class DemoJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private DemoJson() {}

  static void write(PrintWriter out, DemoPlan plan, DemoResult result) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      json.writeStartObject();
      json.writeBooleanField("passed", result.passed());
      json.writeNumberField("seed", plan.seed());
      json.writeNumberField("acknowledged", result.acknowledged());
      json.writeNumberField("perSecond", result.rate());
      json.writeNumberField("lost", result.lost());
      json.writeNumberField("unacknowledged", result.unacknowledged());
      json.writeNumberField("money", result.money());
      json.writeArrayFieldStart("kills");
      for (DemoResult.Kill kill : result.kills()) {
        json.writeStartObject();
        json.writeNumberField("number", kill.number());
        json.writeNumberField("acknowledged", kill.acknowledged());
        json.writeNumberField("replayed", kill.replayed());
        json.writeNumberField("recoveryMillis", kill.recoveryNanos() / 1e6);
        json.writeBooleanField("passed", kill.check().passed());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println();
    out.flush();
  }
}
