package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Heap;
import io.everheap.HeapStats;
import io.everheap.VerifyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap verify DIR}: reads everything and looks for damage. */
@Command(
    name = "verify",
    description = {
      "Reads all of a heap and looks for damage, without changing anything.",
      "Exit code 0: none found; 1: problems, or the heap cannot be opened."
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Heap heap = arguments.open()) {
      if (!arguments.json()) {
        HeapStats stats = heap.stats();
        out.println(
            "Verifying %s: %s in %s blocks ..."
                .formatted(
                    stats.location(), Text.bytes(stats.usedBytes()), Text.count(stats.blocks())));
        out.flush();
      }
      long start = System.nanoTime();
      VerifyReport report = heap.verify();
      long nanos = System.nanoTime() - start;
      if (arguments.json()) {
        Json.document(out, json -> write(json, report, nanos));
      } else {
        print(out, report, nanos);
      }
      return report.ok() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  static void print(PrintWriter out, VerifyReport report, long nanos) {
    for (VerifyReport.Problem problem : report.problems()) {
      out.println("PROBLEM " + problem);
    }
    out.println(
        "%s: %s roots, %s entries, %s blocks, %s checked in %s."
            .formatted(
                verdict(report),
                Text.count(report.roots()),
                Text.count(report.entries()),
                Text.count(report.blocks()),
                Text.bytes(report.bytes()),
                Text.nanos(nanos)));
    out.flush();
  }

  private static String verdict(VerifyReport report) {
    return switch (report.problems().size()) {
      case 0 -> "OK";
      case 1 -> "DAMAGED, 1 problem";
      default -> "DAMAGED, " + Text.count(report.problems().size()) + " problems";
    };
  }

  static void write(JsonGenerator json, VerifyReport report, long nanos) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("ok", report.ok());
    json.writeNumberField("roots", report.roots());
    json.writeNumberField("entries", report.entries());
    json.writeNumberField("blocks", report.blocks());
    json.writeNumberField("bytes", report.bytes());
    json.writeNumberField("millis", nanos / 1e6);
    json.writeArrayFieldStart("problems");
    for (VerifyReport.Problem problem : report.problems()) {
      json.writeStartObject();
      json.writeStringField("kind", problem.kind());
      json.writeStringField("root", problem.root());
      json.writeStringField("where", problem.where());
      json.writeStringField("message", problem.message());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
