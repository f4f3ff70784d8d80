package io.everheap.benchmarks;

import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the results of a run as Markdown, for the documentation. */
@Command(
    name = "report",
    description = "Print the results of a run as a table in Markdown.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where the run put its results.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    ResultFiles results = ResultFiles.read(out);
    PrintWriter output = spec.commandLine().getOut();
    for (String name : results.rows().stream().map(Measurement::experiment).distinct().toList()) {
      List<Measurement> rows =
          results.rows().stream().filter(row -> row.experiment().equals(name)).toList();
      output.println("### " + name);
      output.println();
      output.print(new Table(rows, Experiments.targets(name)).markdown());
      output.println();
    }
    output.println("Measured on:");
    output.println();
    results.environment().forEach((name, value) -> output.println("- " + name + ": " + value));
    output.flush();
    return 0;
  }
}
