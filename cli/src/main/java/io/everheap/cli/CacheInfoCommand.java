package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.cache.CacheReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap cache info DIR}: what a cache is and how much it holds. */
@Command(name = "info", description = "Shows what a cache is and how much it holds.")
final class CacheInfoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CacheArguments arguments;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    CacheReport report = CacheReport.of(arguments.directory(), arguments.key());
    if (arguments.json()) {
      Json.document(out, json -> write(json, report));
    } else {
      print(out, report);
    }
    return ExitCode.OK;
  }

  private static void print(PrintWriter out, CacheReport report) {
    out.println("Cache       " + report.location());
    out.println("Id          " + report.id());
    out.println(
        String.format(
            Locale.ROOT,
            "Format      %d, opened %s times, %s",
            report.formatVersion(),
            Text.count(report.openings()),
            report.clean() ? "closed" : "not closed: its process was killed or lost power"));
    out.println("Generation  " + report.generation());
    out.println(
        String.format(
            Locale.ROOT,
            "Entries     %s with %s; %s expired, %s to be dropped",
            Text.count(report.entries()),
            Text.bytes(report.entryBytes()),
            Text.count(report.expired()),
            Text.count(report.dropped())));
    out.println(
        String.format(
            Locale.ROOT,
            "Capacity    %s in %s segments of %s, %s of them never used",
            Text.bytes(report.fileBytes()),
            Text.count(report.segments()),
            Text.bytes(report.segmentBytes()),
            Text.count(report.freshSegments())));
    if (!report.problems().isEmpty()) {
      out.println(
          String.format(
              Locale.ROOT,
              "Damage      at %s places; 'everheap cache verify' lists them",
              Text.count(report.problems().size())));
    }
    out.flush();
  }

  static void write(JsonGenerator json, CacheReport report) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("ok", report.problems().isEmpty());
    json.writeStringField("location", report.location());
    json.writeStringField("id", report.id().toString());
    json.writeNumberField("formatVersion", report.formatVersion());
    json.writeNumberField("openings", report.openings());
    json.writeNumberField("generation", report.generation());
    json.writeBooleanField("clean", report.clean());
    json.writeNumberField("fileBytes", report.fileBytes());
    json.writeNumberField("segmentBytes", report.segmentBytes());
    json.writeNumberField("segments", report.segments());
    json.writeNumberField("freshSegments", report.freshSegments());
    json.writeNumberField("entries", report.entries());
    json.writeNumberField("expired", report.expired());
    json.writeNumberField("entryBytes", report.entryBytes());
    json.writeNumberField("dropped", report.dropped());
    json.writeArrayFieldStart("problems");
    for (CacheReport.Problem problem : report.problems()) {
      json.writeStartObject();
      json.writeNumberField("offset", problem.offset());
      json.writeStringField("message", problem.message());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
