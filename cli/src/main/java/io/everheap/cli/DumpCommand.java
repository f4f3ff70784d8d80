package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Heap;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code everheap dump DIR --root NAME}: the entries of a root as JSON lines. */
@Command(
    name = "dump",
    description = {
      "Prints the entries of a root as JSON lines: {\"key\": ..., \"value\": ...}. The key of an"
          + " element of a list is its position.",
      "Records and objects are decoded with the types stored in the heap; no classes are needed.",
      "An object is {\"@object\": \"type@address\", ...} with its fields, or only its type and"
          + " address; \"stale\" marks a reference whose target was freed."
    })
final class DumpCommand implements Callable<Integer> {
  /** How many lines are printed between two checks for a closed output. */
  private static final int LINES_PER_CHECK = 1_000;

  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Option(
      names = "--root",
      required = true,
      paramLabel = "NAME",
      description = "The root; info lists them.")
  private String root;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Stop after so many entries (default: all of them).")
  private long limit = Long.MAX_VALUE;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "8",
      description =
          "Levels of structures within structures that are printed with their contents (default:"
              + " ${DEFAULT-VALUE}); below, only their type and size.")
  private int depth;

  @Option(
      names = "--objects",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Levels of objects that are printed with their fields (default: ${DEFAULT-VALUE});"
              + " deeper ones, and repetitions in a line, only with their type and address.")
  private int objects;

  @Override
  public Integer call() throws IOException {
    if (limit < 0) {
      throw new ParameterException(spec.commandLine(), "--limit must be at least 0, not " + limit);
    }
    if (depth < 0) {
      throw new ParameterException(spec.commandLine(), "--depth must be at least 0, not " + depth);
    }
    if (objects < 0) {
      throw new ParameterException(
          spec.commandLine(), "--objects must be at least 0, not " + objects);
    }
    try (Heap heap = arguments.open()) {
      if (!heap.contains(root)) {
        throw new NoSuchRootException(root, heap.names());
      }
      try (Stream<Map.Entry<Object, Object>> entries = heap.entries(root)) {
        print(heap, entries.limit(limit).iterator());
      }
    }
    return ExitCode.OK;
  }

  private void print(Heap heap, Iterator<Map.Entry<Object, Object>> entries) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (JsonGenerator json = Json.lines(out)) {
      for (long line = 1; entries.hasNext(); line++) {
        Json.writeEntry(json, entries.next(), Detail.of(depth, objects, heap::fields));
        json.writeRaw('\n');
        if (line % LINES_PER_CHECK == 0) {
          json.flush();
          if (out.checkError()) {
            return;
          }
        }
      }
    }
  }
}
