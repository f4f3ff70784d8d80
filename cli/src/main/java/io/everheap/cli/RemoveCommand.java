package io.everheap.cli;

import io.everheap.Heap;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap remove DIR ROOT KEY}: removes one entry. */
@Command(
    name = "remove",
    description = {
      "Removes an entry of a map, set or list, in one durable transaction, and prints its value. No"
          + " process may have the heap open.",
      "Plain text where the type is a string in JSON, as texts, enums and dates are; a text that"
          + " begins with a quotation mark, and any other type, is JSON as dump prints it.",
      "Exit code 0: removed; 1: there is none, or a failure."
    })
final class RemoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Parameters(index = "1", paramLabel = "ROOT", description = "The root; info lists them.")
  private String root;

  @Parameters(
      index = "2",
      paramLabel = "KEY",
      description = "The key, the element of a set, or the position in a list.")
  private String key;

  @Override
  public Integer call() throws IOException {
    try (Heap heap = arguments.builder().mustExist().open()) {
      StoredCollection collection = StoredCollection.of(heap, root);
      Object before = collection.remove(collection.key(key));
      if (before == null) {
        throw new RefusedException("no entry " + key + " in " + root);
      }
      Json.document(spec.commandLine().getOut(), json -> Json.write(json, before));
    }
    return ExitCode.OK;
  }
}
