package io.everheap.benchmarks;

import io.everheap.benchmarks.report.HtmlReport;
import io.everheap.benchmarks.report.PivotMarkdown;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Series;
import io.everheap.benchmarks.result.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the results of runs as Markdown, for the documentation, and writes them as one page. */
@Command(
    name = "report",
    description = {
      "Print the results below a directory in Markdown,",
      "and write them there as one HTML page."
    },
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  private static final String PAGE = "report.html";
  private static final int MANY = 100;

  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where a run put its results, or a directory with several of those.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    PrintWriter output = spec.commandLine().getOut();
    HtmlReport page = new HtmlReport(Experiments::targets);
    for (Path directory : directories()) {
      ResultFiles results = ResultFiles.read(directory);
      print(output, results);
      page.add(results, Series.read(directory));
    }
    Path file = out.resolve(PAGE);
    Files.writeString(file, page.html());
    output.println();
    output.println("<!-- page: " + file + " -->");
    output.flush();
    return 0;
  }

  /** The directories with results, in the order of their names. */
  private List<Path> directories() throws IOException {
    try (Stream<Path> files = Files.walk(out)) {
      List<Path> found =
          files
              .filter(file -> file.endsWith(ResultFiles.JSON_LINES))
              .map(file -> file.resolveSibling(""))
              .sorted()
              .toList();
      if (found.isEmpty()) {
        throw new IOException("no " + ResultFiles.JSON_LINES + " in " + out);
      }
      return found;
    }
  }

  private static void print(PrintWriter output, ResultFiles results) {
    for (String name : results.rows().stream().map(Measurement::experiment).distinct().toList()) {
      List<Measurement> rows =
          results.rows().stream().filter(row -> row.experiment().equals(name)).toList();
      output.println("### " + name);
      output.println();
      output.print(
          rows.size() > MANY
              ? PivotMarkdown.of(rows)
              : new Table(rows, Experiments.targets(name)).markdown());
      output.println();
    }
    output.println("Measured on:");
    output.println();
    results.environment().forEach((name, value) -> output.println("- " + name + ": " + value));
  }
}
