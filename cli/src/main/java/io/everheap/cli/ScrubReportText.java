package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.report.ScrubReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/** What {@code everheap scrub} prints of a heap, or of the shards of a store. */
final class ScrubReportText {
  private final Map<String, ScrubReport> heaps;

  /**
   * Creates it.
   *
   * @param heaps by the names of the shards; a heap alone has the empty name
   */
  ScrubReportText(Map<String, ScrubReport> heaps) {
    this.heaps = heaps;
  }

  boolean ok() {
    return heaps.values().stream().allMatch(ScrubReport::ok);
  }

  void print(PrintWriter out, boolean copies) {
    heaps.forEach((name, report) -> print(out, name.isEmpty() ? "" : name + ": ", report, copies));
    out.flush();
  }

  private static void print(PrintWriter out, String name, ScrubReport report, boolean copies) {
    for (ScrubReport.Page page : report.damaged()) {
      out.println(
          page.repaired().isEmpty()
              ? "DAMAGED " + name + page.message()
              : "REPAIRED " + name + page.message() + "; from " + page.repaired());
    }
    long left = report.damaged().stream().filter(page -> page.repaired().isEmpty()).count();
    if (left > 0 && report.torn()) {
      out.println(
          "The heap was not closed: these may be pages that a crash tore, which its log repairs"
              + " when it is opened.");
    } else if (left > 0 && !copies) {
      out.println("Repair them with --repair-from, or restore a backup.");
    } else if (left > 0) {
      out.println("The copies do not have these pages in the state in which they were.");
    }
    out.println(
        String.format(
            Locale.ROOT,
            "%s: %s%s pages, %s damaged, %s repaired.",
            left == 0 ? "OK" : "DAMAGED",
            name,
            Text.count(report.pages()),
            Text.count(report.damaged().size()),
            Text.count(report.damaged().size() - left)));
  }

  void json(PrintWriter out) throws IOException {
    Json.document(
        out,
        json -> {
          json.writeStartObject();
          ScrubReport alone = heaps.get("");
          if (alone != null) {
            fields(json, alone);
          } else {
            json.writeBooleanField("ok", ok());
            json.writeArrayFieldStart("shards");
            for (Map.Entry<String, ScrubReport> shard : heaps.entrySet()) {
              json.writeStartObject();
              json.writeStringField("name", shard.getKey());
              fields(json, shard.getValue());
              json.writeEndObject();
            }
            json.writeEndArray();
          }
          json.writeEndObject();
        });
  }

  private static void fields(JsonGenerator json, ScrubReport report) throws IOException {
    json.writeBooleanField("ok", report.ok());
    json.writeNumberField("pages", report.pages());
    json.writeBooleanField("torn", report.torn());
    json.writeArrayFieldStart("damaged");
    for (ScrubReport.Page page : report.damaged()) {
      json.writeStartObject();
      json.writeNumberField("page", page.number());
      json.writeStringField("message", page.message());
      json.writeStringField("repairedFrom", page.repaired());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
