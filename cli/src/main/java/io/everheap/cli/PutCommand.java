package io.everheap.cli;

import io.everheap.Heap;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap put DIR ROOT KEY [VALUE]}: adds or replaces one entry. */
@Command(
    name = "put",
    description = {
      "Adds or replaces an entry of a map, set or list, in one durable transaction, by the types"
          + " stored in the heap. No process may have the heap open.",
      "Plain text where the type is a string in JSON, as texts, enums and dates are; a text that"
          + " begins with a quotation mark, and any other type, is JSON as dump prints it.",
      "Values that refer to objects or structures, or that only the program can encode, are refused."
    })
final class PutCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Parameters(index = "1", paramLabel = "ROOT", description = "The root; info lists them.")
  private String root;

  @Parameters(
      index = "2",
      paramLabel = "KEY",
      description = "The key, the element of a set, or the position in a list.")
  private String key;

  @Parameters(
      index = "3",
      arity = "0..1", // none for a set
      paramLabel = "VALUE",
      description = "The value; not for a set.")
  private @Nullable String value;

  @Override
  public Integer call() throws IOException {
    try (Heap heap = arguments.builder().mustExist().open()) {
      StoredCollection collection = StoredCollection.of(heap, root);
      String given = value;
      if (collection.hasValues() != (given != null)) {
        throw new ParameterException(
            spec.commandLine(),
            given == null ? "Missing required parameter: 'VALUE'" : "an element has no VALUE");
      }
      Object stored = given == null ? null : collection.value(given);
      Object before = collection.put(collection.key(key), stored);
      if (arguments.json()) {
        Json.document(
            spec.commandLine().getOut(),
            json -> {
              json.writeStartObject();
              json.writeBooleanField("added", before == null);
              json.writeFieldName("before");
              Json.write(json, before);
              json.writeEndObject();
            });
      } else {
        spec.commandLine().getOut().println(before == null ? "Added." : "Replaced.");
      }
    }
    return ExitCode.OK;
  }
}
