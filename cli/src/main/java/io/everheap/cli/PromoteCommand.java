package io.everheap.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap promote DIR}: makes a replica a primary. */
@Command(
    name = "promote",
    description = {
      "Makes the replica in a directory a primary, when it is opened next. No process may have it"
          + " open: end everheap replica first. Its former primary must not go on as one.",
      "Exit code 0: it is decided."
    })
final class PromoteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the replica.")
  private Path directory;

  @Mixin private KeyOptions key;

  @Override
  public Integer call() {
    boolean journal = JournalBackupText.isJournal(directory);
    long term =
        journal ? key.journalReplica(directory).promote() : key.replica(directory).promote();
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "The "
            + (journal ? "journal" : "heap")
            + " in "
            + directory
            + " is a primary from now on, with term "
            + term
            + ".");
    out.flush();
    return ExitCode.OK;
  }
}
