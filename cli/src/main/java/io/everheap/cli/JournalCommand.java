package io.everheap.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap journal ...}: appends lines to a journal, shows, checks and saves it. */
@Command(
    name = "journal",
    description = "Append lines to a durable journal, follow, check and salvage it.",
    subcommands = {
      JournalAppendCommand.class,
      JournalTailCommand.class,
      JournalInfoCommand.class,
      JournalVerifyCommand.class,
      JournalSalvageCommand.class
    })
final class JournalCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
