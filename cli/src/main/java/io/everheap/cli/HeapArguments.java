package io.everheap.cli;

import io.everheap.Heap;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands have in common that look at a heap: it is only read. */
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

  /**
   * Opens the heap without changing a byte of it; what recovery finds in the log is replayed in
   * memory only.
   */
  Heap open() {
    return Heap.builder(directory).readOnly().open();
  }
}
