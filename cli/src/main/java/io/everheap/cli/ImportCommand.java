package io.everheap.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.Heap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap import DIR [FILE]}: makes roots of an export. */
@Command(
    name = "import",
    description = {
      "Makes the roots that export wrote, as JSON lines or CSV, in a heap, which is made if there is"
          + " none. A root of the same name is never overwritten: then nothing more is imported."
          + " Each root appears when it is complete."
    })
final class ImportCommand implements Callable<Integer> {
  /** Entries in a transaction. */
  private static final int BATCH = 1_000;

  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "What export wrote; the standard input by default.")
  private @Nullable Path file;

  private final List<ExportedRoot> imported = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Bar bar = new Bar(out, !arguments.json() && Bar.onTerminal());
    try (InputStream bytes = file == null ? System.in : Files.newInputStream(file);
        BufferedReader in = new BufferedReader(new InputStreamReader(bytes, UTF_8));
        Heap heap = arguments.builder().open()) {
      TransferReader reader = reader(in);
      for (ExportedRoot root = reader.root(); root != null; root = reader.root()) {
        importRoot(heap, root, reader, bar);
        imported.add(root);
      }
    } finally {
      bar.clear();
      print(out);
    }
    return ExitCode.OK;
  }

  private static TransferReader reader(BufferedReader in) throws IOException {
    in.mark(1);
    int first = in.read();
    in.reset();
    return first == '{' ? new JsonTransfer.In(in) : new CsvTransfer.In(in);
  }

  private static void importRoot(Heap heap, ExportedRoot root, TransferReader reader, Bar bar)
      throws IOException {
    StoredImport target = new StoredImport(heap, root);
    boolean complete = false;
    try {
      fill(heap, root, reader, target, bar);
      target.complete();
      complete = true;
    } finally {
      if (!complete) {
        target.abandon();
      }
    }
  }

  private static void fill(
      Heap heap, ExportedRoot root, TransferReader reader, StoredImport target, Bar bar)
      throws IOException {
    for (long done = 0; done < root.entries(); done += BATCH) {
      long some = Math.min(BATCH, root.entries() - done);
      bar.update(root.name(), (double) done / root.entries());
      heap.transact(
          () -> {
            for (long i = 0; i < some; i++) {
              target.add(reader.entry(root));
            }
          });
    }
  }

  private void print(PrintWriter out) throws IOException {
    if (arguments.json()) {
      Json.document(
          out,
          json -> {
            json.writeStartArray();
            for (ExportedRoot root : imported) {
              json.writeStartObject();
              json.writeStringField("root", root.name());
              json.writeNumberField("entries", root.entries());
              json.writeEndObject();
            }
            json.writeEndArray();
          });
    } else {
      imported.forEach(
          root ->
              out.println(
                  String.format(
                      Locale.ROOT,
                      "Imported %s: %s entries.",
                      root.name(),
                      Text.count(root.entries()))));
      out.flush();
    }
  }
}
