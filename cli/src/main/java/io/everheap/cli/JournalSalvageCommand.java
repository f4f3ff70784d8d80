package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.JournalSalvage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap journal salvage DIR --to DIR2}: saves the readable records of a journal. */
@Command(
    name = "salvage",
    description = {
      "Copies all records of a damaged journal that validate into a new one. The damaged one is not"
          + " changed. Behind a gap, records get lower sequences. Times are kept, and batches stay"
          + " together; one that is unfinished at the end is not saved.",
      "Exit code 0: nothing is missing between the records; 1: something is; 2: nothing could be"
          + " done."
    },
    exitCodeOnExecutionException = SalvageCommand.NOTHING_DONE)
final class JournalSalvageCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private KeyOptions keys;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the journal.")
  private Path directory;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "DIR2",
      description = "Where to create the new journal.")
  private Path to;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Bar bar = new Bar(out, !json && Bar.onTerminal());
    JournalSalvage saved;
    try {
      KeyProvider key = keys.provider();
      BiConsumer<Long, Long> progress =
          (done, all) -> bar.update("reading", (double) done / Math.max(1, all));
      saved =
          key == null
              ? JournalSalvage.copy(directory, to, progress)
              : JournalSalvage.copy(directory, to, key, progress);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    } finally {
      bar.clear();
    }
    if (json) {
      Json.document(out, document -> write(document, saved));
    } else {
      print(out, saved);
    }
    return saved.lost().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void print(PrintWriter out, JournalSalvage saved) {
    saved.lost().forEach(lost -> out.println("LOST records " + lost));
    saved
        .broken()
        .forEach(rest -> out.println("Records " + rest + " are what is left of a batch."));
    saved
        .unfinished()
        .forEach(
            rest ->
                out.println(
                    String.format(
                        Locale.ROOT,
                        "Records %s are not saved: their batch is unfinished.",
                        rest)));
    out.println(
        String.format(
            Locale.ROOT,
            "%s records saved in %s; the first is %d.",
            Text.count(saved.records()),
            to,
            saved.firstSequence()));
    out.flush();
  }

  private static void write(JsonGenerator json, JournalSalvage saved) throws IOException {
    json.writeStartObject();
    json.writeNumberField("records", saved.records());
    json.writeNumberField("firstSequence", saved.firstSequence());
    write(json, "lost", saved.lost());
    write(json, "broken", saved.broken());
    write(json, "unfinished", saved.unfinished());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, List<?> parts) throws IOException {
    json.writeArrayFieldStart(name);
    for (Object part : parts) {
      json.writeString(part.toString());
    }
    json.writeEndArray();
  }
}
