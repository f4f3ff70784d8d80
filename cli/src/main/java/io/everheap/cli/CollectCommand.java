package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Heap;
import io.everheap.report.CollectReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap collect DIR}: frees unreachable objects and structures. */
@Command(
    name = "collect",
    description = {
      "Frees the durable objects and structures of a heap that no root leads to. No process may have"
          + " the heap open.",
      "Exit code 0: all of them were freed; 1: some are damaged and were left alone, or nothing was"
          + " freed because the heap is damaged."
    })
final class CollectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    CollectReport report;
    try (Heap heap = arguments.builder().mustExist().open()) {
      report = heap.collect();
    }
    if (arguments.json()) {
      Json.document(out, json -> write(json, report));
    } else {
      print(out, report);
    }
    return report.complete() && report.leftAlone().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static void print(PrintWriter out, CollectReport report) {
    report.leftAlone().forEach(what -> out.println("LEFT ALONE " + what));
    out.println(
        String.format(
            Locale.ROOT,
            "Freed %s objects and %s structures, %s; %s objects and %s structures are in use. %s.",
            Text.count(report.objects()),
            Text.count(report.structures()),
            Text.bytes(report.bytes()),
            Text.count(report.liveObjects()),
            Text.count(report.liveStructures()),
            Text.nanos(report.duration().toNanos())));
    out.flush();
  }

  private static void write(JsonGenerator json, CollectReport report) throws IOException {
    json.writeStartObject();
    json.writeStringField("outcome", report.outcome().name());
    json.writeNumberField("objects", report.objects());
    json.writeNumberField("structures", report.structures());
    json.writeNumberField("bytes", report.bytes());
    json.writeNumberField("liveObjects", report.liveObjects());
    json.writeNumberField("liveStructures", report.liveStructures());
    json.writeNumberField("millis", report.duration().toNanos() / 1e6);
    json.writeArrayFieldStart("leftAlone");
    for (String what : report.leftAlone()) {
      json.writeString(what);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
