package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.Root;
import io.everheap.codec.Codec;
import io.everheap.collection.Undecodable;
import io.everheap.memory.NewFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap export DIR [ROOT...]}: roots as JSON lines or CSV. */
@Command(
    name = "export",
    description = {
      "Writes roots as JSON lines or CSV, from which import makes them in any heap. Takes maps,"
          + " sorted maps, sets, sorted sets, lists, deques, counters and atomic longs. Each entry is"
          + " first read back and compared, so the output is exact; roots for which this is not"
          + " possible are left out and named.",
      "A value that this JVM cannot decode is left out and named; get shows its bytes.",
      "Exit code 0: all was written; 1: some roots or values were left out."
    })
final class ExportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the heap.")
  private Path directory;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ROOT",
      description = "The roots; all if none is given.")
  private List<String> names = List.of();

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "The file to make; the standard output by default. Never overwrites.")
  private @Nullable Path file;

  @Option(names = "--csv", description = "Write CSV instead of JSON lines.")
  private boolean csv;

  @Mixin private KeyOptions keys;

  @Override
  public Integer call() throws IOException {
    try (Heap heap = keys.apply(Heap.builder(directory)).readOnly().open()) {
      for (String name : names) {
        if (!heap.contains(name)) {
          throw new NoSuchRootException(name, heap.names());
        }
      }
      if (file == null) {
        return export(heap, spec.commandLine().getOut(), false);
      }
      if (Files.exists(file)) {
        throw new RefusedException(file + " exists; nothing was changed");
      }
      try (PrintWriter out = new PrintWriter(NewFiles.createText(file))) {
        return export(heap, out, Bar.onTerminal());
      }
    }
  }

  private int export(Heap heap, PrintWriter out, boolean terminal) throws IOException {
    TransferWriter writer = csv ? new CsvTransfer.Out(out) : new JsonTransfer.Out(out);
    Bar bar = new Bar(spec.commandLine().getOut(), terminal);
    boolean complete = true;
    try {
      for (Root root : heap.roots()) {
        if (names.isEmpty() || names.contains(root.name())) {
          complete &= export(heap, ExportedRoot.of(root), writer, bar);
        }
      }
    } finally {
      bar.clear();
    }
    if (out.checkError()) {
      throw new IOException("the export could not be written");
    }
    return complete ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Writes a root; returns false, and says why, if it cannot be read back. */
  private boolean export(Heap heap, ExportedRoot root, TransferWriter writer, Bar bar)
      throws IOException {
    long left;
    try {
      root.requireKind();
      left = check(heap, root, bar);
    } catch (RefusedException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("everheap: " + root.name() + " is left out: " + e.getMessage());
      err.flush();
      return false;
    }
    writer.root(root.without(left));
    long done = 0;
    try (Stream<Map.Entry<Object, Object>> entries = heap.entries(root.name())) {
      for (Iterator<Map.Entry<Object, Object>> i = entries.iterator(); i.hasNext(); done++) {
        Map.Entry<Object, Object> entry = i.next();
        if (isDecoded(entry)) {
          writer.entry(root, entry.getKey(), entry.getValue());
        } else {
          PrintWriter err = spec.commandLine().getErr();
          err.println(
              "everheap: the entry "
                  + Json.text(entry.getKey())
                  + " of "
                  + root.name()
                  + " is left out: "
                  + Json.text(entry.getValue()));
          err.flush();
        }
        bar.update(root.name(), 0.5 + 0.5 * done / Math.max(1, root.entries()));
      }
    }
    return left == 0;
  }

  private static boolean isDecoded(Map.Entry<Object, Object> entry) {
    return !(entry.getKey() instanceof Undecodable || entry.getValue() instanceof Undecodable);
  }

  /** Returns the number of entries that do not decode. */
  private static long check(Heap heap, ExportedRoot root, Bar bar) throws IOException {
    Codec<Object> keys = root.keys();
    Codec<Object> values = root.values();
    long done = 0;
    long left = 0;
    try (Stream<Map.Entry<Object, Object>> entries = heap.entries(root.name())) {
      for (Iterator<Map.Entry<Object, Object>> i = entries.iterator(); i.hasNext(); done++) {
        Map.Entry<Object, Object> entry = i.next();
        if (!isDecoded(entry)) {
          left++;
          continue;
        }
        if (keys != null) {
          check(keys, entry.getKey());
        }
        check(values, entry.getValue());
        bar.update("checking " + root.name(), 0.5 * done / Math.max(1, root.entries()));
      }
    }
    if (done != root.entries()) {
      throw new RefusedException(
          String.format(Locale.ROOT, "it has %d entries, not %d", done, root.entries()));
    }
    return left;
  }

  private static void check(Codec<?> codec, Object value) throws IOException {
    String json = Json.text(value);
    if (json.length() > ExportedRoot.MAX_TEXT) {
      throw new RefusedException(
          "a value has more than " + ExportedRoot.MAX_TEXT + " characters as JSON");
    }
    if (!SameValue.of(JsonValues.value(codec, JsonTree.parse(json)), value)) {
      throw new RefusedException("a value is not the same when it is read back: " + json);
    }
  }
}
