package io.everheap.benchmarks;

import io.everheap.benchmarks.report.ExperimentMarkdown;
import io.everheap.benchmarks.report.HtmlReport;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Series;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the results of runs as Markdown, and writes them as one page. */
@Command(
    name = "report",
    description = {
      "Print the results below a directory in Markdown,",
      "and write them there as one HTML page."
    },
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  private static final String PAGE = "report.html";

  @Spec private CommandSpec spec;

  @Mixin private DocumentOptions documents = new DocumentOptions();

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
    List<ResultFiles> runs = new ArrayList<>();
    for (Path directory : directories()) {
      ResultFiles run = ResultFiles.read(directory);
      if (!run.rows().isEmpty()) {
        String name = run.rows().getFirst().experiment();
        output.println("### " + name + "\n");
        output.print(ExperimentMarkdown.of(List.of(run), Experiments.targets(name)));
        page.add(run, Series.read(directory));
        runs.add(run);
      }
    }
    documents.add(runs);
    Path file = out.resolve(PAGE);
    Files.writeString(file, page.html());
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
}
