package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.Root;
import io.everheap.collection.Undecodable;
import io.everheap.error.UnsupportedTypeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap undecodable DIR [ROOT]}: lists undecodable entries, or sets them aside. */
@Command(
    name = "undecodable",
    description = {
      "Lists values that this JVM cannot decode, or moves them to a file. The JVM lacks what they"
          + " name, such as a time zone, or they are damaged, which verify tells. Takes roots of all"
          + " kinds, by the stored types; the classes of the program are not needed.",
      "A line has root, key or position, type and reason. With --json a line is {\"root\": ...,"
          + " \"key\": ..., \"value\": {\"undecodable\": REASON, \"type\": TYPE, \"bytes\": BASE64}}.",
      "--set-aside writes these JSON lines to a new file, makes it durable, and removes the entries,"
          + " in one durable transaction for each root. An element of an array and the value of a"
          + " reference become null. After a crash an entry is in the heap, in the file or in both,"
          + " and the last line may be incomplete. The file is not encrypted, even if the heap is."
          + " No process may have the heap open.",
      "Values that only a class of the program refuses decode here, and are not listed. get shows"
          + " and remove removes them by key or position; from queues the program removes them."
          + " verify names undecodable fields of objects and values of nested structures.",
      "Exit code 0: all was listed or moved; 1: only the program can decode a root or remove from it,"
          + " or a failure."
    })
final class UndecodableCommand implements Callable<Integer> {
  /** How many lines are printed between two checks for a closed output. */
  private static final int LINES_PER_CHECK = 1_000;

  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "ROOT",
      description = "The root; all if none is given.")
  private @Nullable String name;

  @Option(
      names = "--set-aside",
      paramLabel = "FILE",
      description = "Move the entries to this file. Never overwrites.")
  private @Nullable Path file;

  /** An action on a root. */
  private interface Use {
    /** Returns the number of undecodable entries. */
    long of(Root root) throws IOException;
  }

  @Override
  public Integer call() throws IOException {
    Path target = file;
    if (target == null) {
      try (Heap heap = arguments.open()) {
        return forEach(roots(heap), root -> print(heap, root));
      }
    }
    if (Files.exists(target)) {
      throw SetAsideFile.exists(target);
    }
    try (Heap heap = arguments.builder().mustExist().open()) {
      List<Root> roots = roots(heap);
      try (SetAsideFile lines = SetAsideFile.create(target)) {
        SetAside setAside = new SetAside(heap, lines);
        return forEach(roots, root -> moved(root, setAside.move(root)));
      }
    }
  }

  private List<Root> roots(Heap heap) {
    String wanted = name;
    if (wanted != null && !heap.contains(wanted)) {
      throw new NoSuchRootException(wanted, heap.names());
    }
    return heap.roots().stream()
        .filter(root -> wanted == null || root.name().equals(wanted))
        .toList();
  }

  /** Handles each root, and names the roots that only the program can handle. */
  private int forEach(List<Root> roots, Use use) throws IOException {
    boolean complete = true;
    long found = 0;
    for (Root root : roots) {
      try {
        found += use.of(root);
      } catch (RefusedException | UnsupportedTypeException e) {
        complete = false;
        PrintWriter err = spec.commandLine().getErr();
        err.println("everheap: " + root.name() + " is left as it is: " + e.getMessage());
        err.flush();
      }
    }
    if (found == 0 && complete && !arguments.json()) {
      spec.commandLine().getOut().println("No undecodable entries.");
    }
    spec.commandLine().getOut().flush();
    return complete ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private long print(Heap heap, Root root) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    long count = 0;
    for (Iterator<Undecodable> i = heap.undecodable(root.name()); i.hasNext(); count++) {
      UndecodableEntry entry = new UndecodableEntry(root, i.next());
      out.println(arguments.json() ? entry.json() : entry.text());
      if (count % LINES_PER_CHECK == 0 && out.checkError()) {
        break; // the reader of a pipe closed it
      }
    }
    return count;
  }

  /** Reports how many entries of a root were moved. */
  private long moved(Root root, long count) throws IOException {
    if (count > 0) {
      PrintWriter out = spec.commandLine().getOut();
      if (arguments.json()) {
        out.println(
            Json.line(
                json -> {
                  json.writeStartObject();
                  json.writeStringField("root", root.name());
                  json.writeNumberField("setAside", count);
                  json.writeEndObject();
                }));
      } else {
        out.println(root.name() + ": " + Text.count(count) + " set aside");
      }
    }
    return count;
  }
}
