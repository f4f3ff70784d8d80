package io.everheap.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The {@code everheap} command, which does its work in subcommands.
 *
 * <p>Exit codes: 0 success, 1 failure, 2 wrong usage.
 */
@Command(
    name = "everheap",
    description = "Inspect, verify and repair durable heaps.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {HelpCommand.class})
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec;

  private Main() {}

  /**
   * Runs the command and ends the process with its exit code.
   *
   * @param args the subcommand and its arguments
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main());
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
