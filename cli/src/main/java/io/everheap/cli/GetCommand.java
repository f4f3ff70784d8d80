package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.collection.Undecodable;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap get DIR ROOT KEY}: one entry. */
@Command(
    name = "get",
    description = {
      "Prints the value of a key as JSON, by the types stored in the heap; true for an element of a"
          + " set.",
      "Plain text where the type is a string in JSON, as texts, enums and dates are; a text that"
          + " begins with a quotation mark, and any other type, is JSON as dump prints it.",
      "Exit code 0: found; 1: there is none, or a failure. A value that cannot be decoded is shown as"
          + " its stored bytes in Base64, with the reason and exit code 1."
    })
final class GetCommand implements Callable<Integer> {
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
    try (Heap heap = arguments.open()) {
      StoredCollection collection = StoredCollection.of(heap, root);
      Object value = collection.get(collection.key(key));
      if (value == null) {
        throw new RefusedException("no entry " + key + " in " + root);
      }
      Json.document(spec.commandLine().getOut(), json -> Json.write(json, value));
      return value instanceof Undecodable ? ExitCode.SOFTWARE : ExitCode.OK;
    }
  }
}
