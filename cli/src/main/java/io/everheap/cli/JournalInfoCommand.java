package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap journal info DIR}: what a journal is and how much it holds. */
@Command(name = "info", description = "Shows what a journal is and how much it holds.")
final class JournalInfoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private JournalArguments arguments;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Journal journal = arguments.open()) {
      JournalInfo info = journal.info();
      if (arguments.json()) {
        Json.document(out, json -> write(json, info));
      } else {
        print(out, info);
      }
    }
    return ExitCode.OK;
  }

  private static void print(PrintWriter out, JournalInfo info) {
    out.println("Journal   " + info.location());
    out.println("Id        " + info.uuid());
    out.println("Format    " + info.formatVersion() + ", epoch " + Text.count(info.epoch()));
    long records = info.nextSequence() - info.firstSequence();
    out.println(
        String.format(
            Locale.ROOT,
            "Records   %s%s",
            Text.count(records),
            records == 0
                ? ", the next is " + info.nextSequence()
                : String.format(
                    Locale.ROOT, ", %d to %d", info.firstSequence(), info.nextSequence() - 1)));
    out.println(
        String.format(
            Locale.ROOT,
            "Segments  %s with %s; new ones have %s",
            Text.count(info.segments()),
            Text.bytes(info.bytes()),
            Text.bytes(info.segmentSize())));
    out.flush();
  }

  private static void write(JsonGenerator json, JournalInfo info) throws IOException {
    json.writeStartObject();
    json.writeStringField("location", info.location());
    json.writeStringField("id", info.uuid().toString());
    json.writeNumberField("formatVersion", info.formatVersion());
    json.writeNumberField("epoch", info.epoch());
    json.writeNumberField("firstSequence", info.firstSequence());
    json.writeNumberField("nextSequence", info.nextSequence());
    json.writeNumberField("segments", info.segments());
    json.writeNumberField("bytes", info.bytes());
    json.writeNumberField("segmentSize", info.segmentSize());
    json.writeEndObject();
  }
}
