package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.journal.JournalCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap journal verify DIR}: reads everything and looks for damage. */
@Command(
    name = "verify",
    description = {
      "Reads all records of a journal and looks for damage, without changing anything.",
      "Exit code 0: nothing found; 1: damage; 2: it cannot be checked, because it is missing or of"
          + " another format."
    },
    exitCodeOnExecutionException = VerifyCommand.CANNOT_CHECK)
final class JournalVerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private JournalArguments arguments;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Bar bar = new Bar(out, !arguments.json() && Bar.onTerminal());
    long start = System.nanoTime();
    JournalCheck check;
    try {
      check = JournalCheck.verify(arguments.directory(), arguments.key(), bar::update);
    } finally {
      bar.clear();
    }
    if (arguments.json()) {
      Json.document(out, json -> write(json, check));
    } else {
      print(out, check, System.nanoTime() - start);
    }
    return check.ok() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static void print(PrintWriter out, JournalCheck check, long nanos) {
    check.problems().forEach(problem -> out.println("PROBLEM " + problem));
    if (check.tornBytes() > 0) {
      out.println(
          Text.bytes(check.tornBytes()) + " of unfinished records at the end are not damage.");
    }
    out.println(
        String.format(
            Locale.ROOT,
            "%s: %s sound records, %d to %d, %s checked in %s.",
            check.ok() ? "OK" : "DAMAGED",
            Text.count(check.records()),
            check.firstSequence(),
            check.nextSequence() - 1,
            Text.bytes(check.bytes()),
            Text.nanos(nanos)));
    out.flush();
  }

  private static void write(JsonGenerator json, JournalCheck check) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("ok", check.ok());
    json.writeNumberField("records", check.records());
    json.writeNumberField("bytes", check.bytes());
    json.writeNumberField("firstSequence", check.firstSequence());
    json.writeNumberField("nextSequence", check.nextSequence());
    json.writeNumberField("tornBytes", check.tornBytes());
    json.writeArrayFieldStart("problems");
    for (JournalCheck.Problem problem : check.problems()) {
      json.writeStartObject();
      json.writeStringField("file", problem.file());
      json.writeNumberField("offset", problem.offset());
      json.writeNumberField("sequence", problem.sequence());
      json.writeStringField("message", problem.message());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
