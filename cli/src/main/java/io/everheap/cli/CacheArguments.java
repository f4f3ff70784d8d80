package io.everheap.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of commands that read a cache. */
final class CacheArguments {
  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "The directory of the cache, or one of its directories.")
  private Path directory;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  Path directory() {
    return directory;
  }

  boolean json() {
    return json;
  }
}
