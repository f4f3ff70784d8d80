package io.everheap.cli;

import io.everheap.journal.JournalSalvage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
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

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the journal.")
  private Path directory;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "DIR2",
      description = "Where to create the new journal.")
  private Path to;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Bar bar = new Bar(out, Bar.onTerminal());
    JournalSalvage saved;
    try {
      saved =
          JournalSalvage.copy(
              directory,
              to,
              (done, all) -> bar.update("reading", (double) done / Math.max(1, all)));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    } finally {
      bar.clear();
    }
    saved.lost().forEach(lost -> out.println("LOST records " + lost));
    saved
        .broken()
        .forEach(rest -> out.println("Records " + rest + " are what is left of a batch."));
    saved
        .unfinished()
        .forEach(
            rest ->
                out.println(
                    "Records %s are not saved: their batch is unfinished.".formatted(rest)));
    out.println(
        "%s records saved in %s; the first is %d."
            .formatted(Text.count(saved.records()), to, saved.firstSequence()));
    out.flush();
    return saved.lost().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
