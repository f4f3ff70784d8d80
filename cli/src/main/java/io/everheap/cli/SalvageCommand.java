package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.MissingException;
import io.everheap.salvage.Salvage;
import io.everheap.salvage.SalvageReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code everheap salvage DIR --to DIR2}: saves the readable data of a damaged heap. */
@Command(
    name = "salvage",
    description = {
      "Saves the readable data of a damaged heap into a new one, and reports the losses. The damaged"
          + " heap is never written; beside the new one there must be room for a copy of it.",
      "Try a backup first: what is saved may be from different moments, and the report says so.",
      "Exit code 0: everything was saved; 1: something is lost, doubtful or unproved; 2: nothing"
          + " could be done."
    },
    exitCodeOnExecutionException = SalvageCommand.NOTHING_DONE)
final class SalvageCommand implements Callable<Integer> {
  static final int NOTHING_DONE = 2;

  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "DIR2",
      description = "Where to create the new heap: an empty or new directory.")
  private Path to;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (!Files.isDirectory(arguments.directory())) {
      throw MissingException.heap("there is no heap at " + arguments.directory(), null);
    }
    Bar bar = new Bar(out, !arguments.json() && Bar.onTerminal());
    SalvageReport report;
    try {
      KeyProvider key = arguments.key();
      report =
          key == null
              ? Salvage.run(arguments.directory(), to, bar::update)
              : Salvage.run(arguments.directory(), to, key, bar::update);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    } finally {
      bar.clear();
    }
    if (arguments.json()) {
      Json.document(out, json -> write(json, report));
    } else {
      print(out, report);
      out.println("The new heap is in " + to + ".");
      out.flush();
    }
    return report.complete() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  static void print(PrintWriter out, SalvageReport report) {
    report.notes().forEach(note -> out.println("NOTE " + note));
    for (SalvageReport.Range range : report.unreadable()) {
      out.println(
          String.format(
              Locale.ROOT,
              "UNREADABLE %s bytes of %s from byte %s on",
              Text.count(range.length()),
              range.file(),
              Text.count(range.offset())));
    }
    if (report.knownLsn() > report.appliedLsn()) {
      out.println(
          String.format(
              Locale.ROOT,
              "LOST the log from LSN %s to at least LSN %s",
              Text.count(report.appliedLsn()),
              Text.count(report.knownLsn())));
    }
    for (SalvageReport.Root root : report.roots()) {
      root.reasons().forEach(reason -> out.println("ROOT " + root.name() + ": " + reason));
      root.doubtfulKeys().forEach(key -> out.println("DOUBTFUL " + root.name() + ": key " + key));
    }
    for (SalvageReport.Region region : report.regions()) {
      String size = region.bytes() < 0 ? "lost" : Text.count(region.bytes()) + " bytes";
      out.println("REGION " + region.name() + ": " + size);
      region.reasons().forEach(reason -> out.println("REGION " + region.name() + ": " + reason));
    }
    var table = new Table("Root", "Entries", "Saved", "By scan", "Doubtful", "Lost");
    table.right(1).right(2).right(3).right(4).right(5);
    for (SalvageReport.Root root : report.roots()) {
      boolean known = root.expected() >= 0;
      table.row(
          root.name(),
          known ? Text.count(root.expected()) : "?",
          Text.count(root.saved()),
          Text.count(root.byScan()),
          Text.count(root.doubtful()),
          known ? Text.count(root.lost()) : "?");
    }
    table.print(out);
    if (report.unassigned() > 0) {
      out.println(Text.count(report.unassigned()) + " entries could not be given to a root.");
    }
    if (!report.oneState()) {
      out.println("Nothing proves that all of this belongs to one moment: check what must agree.");
    }
    out.println(
        report.complete() ? "Everything was saved." : "Not everything was saved as it was.");
    out.flush();
  }

  static void write(JsonGenerator json, SalvageReport report) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("complete", report.complete());
    json.writeBooleanField("oneState", report.oneState());
    json.writeNumberField("saved", report.saved());
    json.writeNumberField("lost", report.lost());
    json.writeNumberField("unassigned", report.unassigned());
    json.writeNumberField("transactions", report.transactions());
    json.writeNumberField("appliedLsn", report.appliedLsn());
    json.writeNumberField("knownLsn", report.knownLsn());
    strings(json, "notes", report.notes());
    json.writeArrayFieldStart("unreadable");
    for (SalvageReport.Range range : report.unreadable()) {
      json.writeStartObject();
      json.writeStringField("file", range.file());
      json.writeNumberField("offset", range.offset());
      json.writeNumberField("length", range.length());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("roots");
    for (SalvageReport.Root root : report.roots()) {
      json.writeStartObject();
      json.writeStringField("name", root.name());
      json.writeStringField("kind", root.kind());
      for (Map.Entry<String, String> type : root.types().entrySet()) {
        json.writeStringField(type.getKey() + "Type", type.getValue());
      }
      json.writeNumberField("expected", root.expected());
      json.writeNumberField("saved", root.saved());
      json.writeNumberField("byScan", root.byScan());
      json.writeNumberField("doubtful", root.doubtful());
      json.writeNumberField("lost", root.lost());
      strings(json, "doubtfulKeys", root.doubtfulKeys());
      strings(json, "reasons", root.reasons());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("regions");
    for (SalvageReport.Region region : report.regions()) {
      json.writeStartObject();
      json.writeStringField("name", region.name());
      json.writeNumberField("bytes", region.bytes());
      strings(json, "reasons", region.reasons());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void strings(JsonGenerator json, String name, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }
}
