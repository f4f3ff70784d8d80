package io.everheap.benchmarks;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.report.Documents;
import io.everheap.benchmarks.result.ResultFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the documentation. */
final class DocumentOptions {
  private static final Path DEFAULT = Path.of("docs");

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      arity = "0..1",
      fallbackValue = "docs",
      description =
          "Add the results to DIR/data, where they replace older ones of the same cases, and"
              + " generate DIR/benchmark-tables.md and DIR/charts from them (DIR: docs).")
  private @Nullable Path directory;

  Documents orDefault() {
    return documents(directory != null ? directory : DEFAULT);
  }

  /** Adds runs to the documentation, if the user asked for that. */
  void add(List<ResultFiles> runs) throws IOException {
    Path named = directory;
    if (named != null) {
      Documents documents = documents(named);
      for (ResultFiles run : runs) {
        documents.add(run);
      }
      documents.generate();
    }
  }

  private static Documents documents(Path directory) {
    List<String> names = Experiments.ALL.stream().map(Experiment::name).toList();
    return new Documents(directory, names, Experiments::targets);
  }
}
