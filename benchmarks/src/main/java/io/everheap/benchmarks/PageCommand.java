package io.everheap.benchmarks;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Generates the page of tables and the charts of the documentation from its result files. */
@Command(
    name = "page",
    description = {
      "Generate the tables and charts of the documentation from its result files,",
      "without measuring anything."
    },
    mixinStandardHelpOptions = true)
final class PageCommand implements Callable<Integer> {
  @Mixin private DocumentOptions documents = new DocumentOptions();

  @Override
  public Integer call() throws IOException {
    documents.orDefault().generate();
    return 0;
  }
}
