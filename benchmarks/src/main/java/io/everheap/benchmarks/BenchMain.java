package io.everheap.benchmarks;

import io.everheap.benchmarks.harness.Experiment;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs the benchmarks: a subcommand for each experiment, one that prints the results of a run, and
 * one that is JMH itself.
 *
 * <p>Exit codes: 0 success, 1 failure, 2 wrong usage.
 */
@Command(
    name = "everheap bench",
    description = "Run an experiment, next to what its work costs at least and to other libraries.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "NAME")
public final class BenchMain implements Callable<Integer> {
  @Spec private CommandSpec spec;

  private BenchMain() {}

  /**
   * Runs the command and ends the process with its exit code.
   *
   * @param args the experiment and its options
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new BenchMain());
    for (Experiment experiment : Experiments.ALL) {
      CommandLine command = new CommandLine(new RunCommand(experiment));
      command.getCommandSpec().name(experiment.name());
      command
          .getCommandSpec()
          .usageMessage()
          .description("Measure " + experiment.description() + ".");
      Object options = experiment.options();
      if (options != null) {
        command.addMixin("options", options);
      }
      line.addSubcommand(experiment.name(), command);
    }
    line.addSubcommand("report", new ReportCommand());
    line.addSubcommand("page", new PageCommand());
    CommandLine jmh = new CommandLine(new JmhCommand());
    jmh.setUnmatchedOptionsArePositionalParams(true);
    line.addSubcommand("jmh", jmh);
    line.setParameterExceptionHandler(BenchMain::explain);
    line.setExecutionExceptionHandler(BenchMain::fail);
    return line;
  }

  private static int explain(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("everheap bench: " + e.getMessage());
    if (command.getParent() == null) {
      err.println("There are:");
      command
          .getSubcommands()
          .forEach(
              (name, c) ->
                  err.println(
                      "  "
                          + name
                          + "  "
                          + String.join(" ", c.getCommandSpec().usageMessage().description())));
    } else {
      command.usage(err);
    }
    err.flush();
    return ExitCode.USAGE;
  }

  private static int fail(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println("everheap bench: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
    err.flush();
    return ExitCode.SOFTWARE;
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "which experiment?");
  }
}
