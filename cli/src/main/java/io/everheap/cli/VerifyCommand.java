package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.HeapCheck;
import io.everheap.report.VerifyReport;
import io.everheap.store.ShardedStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
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
      "Reads all of a heap and looks for damage, without changing anything. Checks the superblocks,"
          + " the log, the allocation tables, every structure and every entry.",
      "Exit code 0: no damage; values that this JVM cannot decode and raw blocks"
          + " whose handle is nowhere in the heap are named; 1: problems, or damage that keeps the heap from being opened; 2:"
          + " it cannot be checked, because it is missing, in use, no heap or of another format."
    },
    exitCodeOnExecutionException = VerifyCommand.CANNOT_CHECK)
final class VerifyCommand implements Callable<Integer> {
  static final int CANNOT_CHECK = 2;

  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (!arguments.json()) {
      out.println("Verifying " + arguments.directory() + " ...");
      out.flush();
    }
    Bar bar = new Bar(out, !arguments.json() && Bar.onTerminal());
    if (ShardedStore.exists(arguments.directory())) {
      boolean ok = StoreInspection.verify(arguments, out);
      return ok ? ExitCode.OK : ExitCode.SOFTWARE;
    }
    long start = System.nanoTime();
    VerifyReport report;
    try {
      report = HeapCheck.verify(arguments.directory(), arguments.key(), bar::update);
    } finally {
      bar.clear();
    }
    long nanos = System.nanoTime() - start;
    if (arguments.json()) {
      Json.document(out, json -> write(json, report, nanos));
    } else {
      print(out, report, nanos);
    }
    return report.ok() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  static void print(PrintWriter out, VerifyReport report, long nanos) {
    for (VerifyReport.Problem problem : report.problems()) {
      out.println("PROBLEM " + problem);
    }
    if (report.found() > report.problems().size()) {
      out.println(
          String.format(
              Locale.ROOT,
              "... and %s more.",
              Text.count(report.found() - report.problems().size())));
    }
    for (VerifyReport.Problem reference : report.dangling()) {
      out.println(
          String.format(
              Locale.ROOT,
              "DANGLING reference at %s of %s: %s",
              reference.where(),
              reference.root(),
              reference.message()));
    }
    if (report.foundDangling() > 0) {
      out.println(
          String.format(
              Locale.ROOT,
              "%s references lead to what was freed, or made in a transaction that was rolled back. %s",
              Text.count(report.foundDangling()),
              "They are not damage; the program can remove or replace them."));
    }
    for (VerifyReport.Problem value : report.undecodable()) {
      out.println(
          String.format(
              Locale.ROOT,
              "UNDECODABLE value at %s of %s: %s",
              value.where(),
              value.root(),
              value.message()));
    }
    if (report.foundUndecodable() > 0) {
      out.println(
          String.format(
              Locale.ROOT,
              "%s values name what this JVM lacks. They are not damage; another JVM can decode them.",
              Text.count(report.foundUndecodable())));
    }
    printUnreferenced(out, report);
    for (String what : report.notChecked()) {
      out.println("NOT CHECKED " + what);
    }
    if (report.replayed() > 0 || report.tornBytes() > 0) {
      out.println(
          String.format(
                  Locale.ROOT,
                  "The heap was not closed: %s transactions (%s) are replayed from its log; %s of an",
                  Text.count(report.replayed()),
                  Text.bytes(report.replayedBytes()),
                  Text.bytes(report.tornBytes()))
              + " unfinished record are dropped.");
    }
    if (report.unreachable() > 0) {
      out.println(
          String.format(
              Locale.ROOT,
              "No root leads to %s structures; they take space until they are freed.",
              Text.count(report.unreachable())));
    }
    out.println(
        String.format(
            Locale.ROOT,
            "%s: %s roots, %s entries, %s blocks, %s checked in %s.",
            verdict(report),
            Text.count(report.roots()),
            Text.count(report.entries()),
            Text.count(report.blocks()),
            Text.bytes(report.bytes()),
            Text.nanos(nanos)));
    out.flush();
  }

  private static void printUnreferenced(PrintWriter out, VerifyReport report) {
    for (VerifyReport.RawBlock block : report.unreferenced()) {
      out.println(
          String.format(
              Locale.ROOT,
              "UNREFERENCED raw block of %s at heap byte %d: its handle is %d",
              Text.bytes(block.size()),
              block.offset(),
              block.handle()));
    }
    if (report.foundUnreferenced() > 0) {
      out.println(
          String.format(
              Locale.ROOT,
              "The handles of %s raw blocks (%s) are nowhere in the heap. %s",
              Text.count(report.foundUnreferenced()),
              Text.bytes(report.unreferencedBytes()),
              "They are not damage; unless the program keeps the handles elsewhere, it can free them."));
    }
  }

  private static String verdict(VerifyReport report) {
    if (report.found() <= 1) {
      return report.ok() ? "OK" : "DAMAGED, 1 problem";
    }
    return "DAMAGED, " + Text.count(report.found()) + " problems";
  }

  static void write(JsonGenerator json, VerifyReport report, long nanos) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("ok", report.ok());
    json.writeNumberField("roots", report.roots());
    json.writeNumberField("entries", report.entries());
    json.writeNumberField("unreachable", report.unreachable());
    json.writeNumberField("blocks", report.blocks());
    json.writeNumberField("bytes", report.bytes());
    json.writeNumberField("replayedTransactions", report.replayed());
    json.writeNumberField("replayedBytes", report.replayedBytes());
    json.writeNumberField("tornBytes", report.tornBytes());
    json.writeNumberField("millis", nanos / 1e6);
    json.writeNumberField("found", report.found());
    write(json, "problems", report.problems());
    json.writeNumberField("foundDangling", report.foundDangling());
    write(json, "dangling", report.dangling());
    json.writeNumberField("foundUndecodable", report.foundUndecodable());
    write(json, "undecodable", report.undecodable());
    json.writeNumberField("foundUnreferenced", report.foundUnreferenced());
    json.writeNumberField("unreferencedBytes", report.unreferencedBytes());
    json.writeArrayFieldStart("unreferenced");
    for (VerifyReport.RawBlock block : report.unreferenced()) {
      json.writeStartObject();
      json.writeStringField("handle", Long.toString(block.handle())); // exceeds 53 bits
      json.writeNumberField("size", block.size());
      json.writeNumberField("offset", block.offset());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("notChecked");
    for (String what : report.notChecked()) {
      json.writeString(what);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, List<VerifyReport.Problem> problems)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (VerifyReport.Problem problem : problems) {
      json.writeStartObject();
      json.writeStringField("kind", problem.kind());
      json.writeStringField("root", problem.root());
      json.writeStringField("file", problem.file());
      json.writeNumberField("offset", problem.offset());
      json.writeStringField("key", problem.key());
      json.writeStringField("message", problem.message());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
