package io.everheap.cli;

import io.everheap.Heap;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of commands that read a heap. */
final class HeapArguments {
  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the heap.")
  private Path directory;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  Path directory() {
    return directory;
  }

  boolean json() {
    return json;
  }

  /** Opens the heap without changing a byte of it; the log is replayed in memory only. */
  Heap open() {
    return Heap.builder(directory).readOnly().open();
  }
}
