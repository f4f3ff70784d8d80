package io.everheap.benchmarks;

import io.everheap.benchmarks.report.HtmlReport;
import io.everheap.benchmarks.report.LostRows;
import io.everheap.benchmarks.report.PivotMarkdown;
import io.everheap.benchmarks.report.Sections;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Series;
import io.everheap.benchmarks.result.Table;
import io.everheap.benchmarks.result.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

  @Option(
      names = "--into",
      paramLabel = "FILE",
      description = {
        "Also put the tables of each experiment into this Markdown file, between the lines",
        "<!-- results: NAME --> and <!-- end of results: NAME -->, or at its end."
      })
  private @Nullable Path into;

  @Override
  public Integer call() throws IOException {
    PrintWriter output = spec.commandLine().getOut();
    HtmlReport page = new HtmlReport(Experiments::targets);
    for (Path directory : directories()) {
      ResultFiles results = ResultFiles.read(directory);
      sections(results).forEach((name, text) -> print(output, name, text));
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

  private void print(PrintWriter output, String name, String text) {
    output.println(text);
    Path file = into;
    if (file != null) {
      try {
        Files.writeString(file, Sections.put(Files.readString(file), name, text));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** What is told of each experiment. */
  private static Map<String, String> sections(ResultFiles results) {
    StringBuilder measured = new StringBuilder("Measured on:\n\n");
    results
        .environment()
        .forEach(
            (name, value) ->
                measured.append("- ").append(name).append(": ").append(value).append('\n'));
    Map<String, String> sections = new LinkedHashMap<>();
    for (String name : results.rows().stream().map(Measurement::experiment).distinct().toList()) {
      List<Measurement> rows =
          results.rows().stream().filter(row -> row.experiment().equals(name)).toList();
      List<Target> targets = Experiments.targets(name);
      String tables =
          rows.size() > MANY
              ? PivotMarkdown.of(rows) + LostRows.of(rows, targets)
              : new Table(rows, targets).markdown() + "\n";
      sections.put(name, "### " + name + "\n\n" + tables + measured);
    }
    return sections;
  }
}
