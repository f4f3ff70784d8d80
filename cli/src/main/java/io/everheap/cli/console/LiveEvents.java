package io.everheap.cli.console;

import com.sun.net.httpserver.HttpExchange;
import io.everheap.engine.counters.Counter;
import io.everheap.engine.counters.CountersReader;
import io.everheap.engine.counters.HeapCounters;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Sends the counters of a heap that another process has open, a line of JSON for each change. */
final class LiveEvents {
  private static final long PAUSE_MILLIS = 200;

  /** After so many pauses without news a line tells whether the page is still there. */
  private static final int PAUSES_PER_BEAT = 25;

  private LiveEvents() {}

  /** Sends until the page is closed. */
  static void send(HttpExchange exchange, Subject subject) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson; charset=utf-8");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      String sent = "";
      for (int pauses = 0; ; pauses++) {
        String state = state(CountersReader.read(subject.directory()).orElse(null));
        if (!state.equals(sent) || pauses % PAUSES_PER_BEAT == 0) {
          sent = state;
          out.write((state + "\n").getBytes(StandardCharsets.US_ASCII));
          out.flush();
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the server ends
    }
  }

  private static String state(@Nullable HeapCounters counters) {
    return Page.json(
        json -> {
          if (counters == null) {
            json.writeStringField("state", "none");
            return;
          }
          json.writeStringField("state", counters.state().name().toLowerCase(Locale.ROOT));
          json.writeNumberField("pid", counters.pid());
          json.writeNumberField("number", counters.number());
          json.writeNumberField("millis", counters.now().millis());
          json.writeObjectFieldStart("values");
          for (var value : counters.now().values().entrySet()) {
            json.writeNumberField(value.getKey(), value.getValue());
          }
          json.writeEndObject();
          json.writeObjectFieldStart("perSecond");
          for (Counter counter : Counter.values()) {
            OptionalDouble rate = counters.rate(counter);
            if (counter.grows() && rate.isPresent()) {
              json.writeNumberField(counter.label(), rate.getAsDouble());
            }
          }
          json.writeEndObject();
        });
  }
}
