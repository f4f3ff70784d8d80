package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Heap;
import io.everheap.Root;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap list DIR [ROOT]}: names of roots, or the keys of one. */
@Command(
    name = "list",
    description = {
      "Prints the names of the roots of a heap, or the keys of a root, in its order.",
      "Names and keys that are strings are printed as they are, others as JSON; with --json each line"
          + " is JSON, which also keeps line breaks in keys apart."
    })
final class ListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Parameters(index = "1", arity = "0..1", paramLabel = "ROOT", description = "The root.")
  private @Nullable String root;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Stop after so many lines (default: all of them).")
  private long limit = Long.MAX_VALUE;

  @Override
  public Integer call() throws IOException {
    if (limit < 0) {
      throw new ParameterException(spec.commandLine(), "--limit must be at least 0, not " + limit);
    }
    try (Heap heap = arguments.open()) {
      String of = root;
      if (of == null) {
        print(heap.roots().stream().map(Root::name).limit(limit).iterator());
      } else if (!heap.contains(of)) {
        throw new NoSuchRootException(of, heap.names());
      } else {
        try (Stream<Map.Entry<Object, Object>> entries = heap.entries(of)) {
          print(entries.limit(limit).map(Map.Entry::getKey).iterator());
        }
      }
    }
    return ExitCode.OK;
  }

  private void print(Iterator<?> keys) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (JsonGenerator json = Json.lines(out)) {
      while (keys.hasNext() && !out.checkError()) {
        Object key = keys.next();
        if (key instanceof String text && !arguments.json()) {
          json.writeRaw(text);
        } else {
          Json.write(json, key);
        }
        json.writeRaw('\n');
        json.flush();
      }
    }
  }
}
