package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.StoredType;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap schema DIR}: the types of the objects in a heap. */
@Command(
    name = "schema",
    description = "Prints the stored types of durable objects like Java source.",
    subcommands = SchemaDiffCommand.class)
final class SchemaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1", // the argument may be a subcommand instead
      paramLabel = "DIR",
      description = "The directory of the heap.")
  private @Nullable Path directory;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Mixin private KeyOptions keys;

  @Option(names = "--all", description = "Also print older versions of the types.")
  private boolean all;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    List<StoredType> types;
    Path heapDirectory = directory;
    if (heapDirectory == null) {
      throw new ParameterException(spec.commandLine(), "Missing required parameter: 'DIR'");
    }
    try (Heap heap = keys.apply(Heap.builder(heapDirectory)).readOnly().open()) {
      types = heap.types().stream().filter(type -> all || type.newest()).toList();
    }
    if (json) {
      Json.document(
          out,
          document -> {
            document.writeStartArray();
            for (StoredType type : types) {
              document.writeStartObject();
              document.writeStringField("name", type.name());
              document.writeNumberField("number", type.number());
              document.writeBooleanField("newest", type.newest());
              document.writeFieldName("supertypes");
              Json.write(document, type.supertypes());
              document.writeArrayFieldStart("fields");
              for (StoredType.Field field : type.fields()) {
                Json.write(
                    document, Map.of("id", field.id(), "name", field.name(), "type", field.type()));
              }
              document.writeEndArray();
              document.writeEndObject();
            }
            document.writeEndArray();
          });
    } else {
      types.forEach(type -> print(out, type));
      out.flush();
    }
    return ExitCode.OK;
  }

  private static void print(PrintWriter out, StoredType type) {
    out.println("// type " + type.number() + (type.newest() ? "" : ", an older version"));
    String supers =
        type.supertypes().isEmpty() ? "" : " extends " + String.join(", ", type.supertypes());
    out.println("@Durable " + type.name() + supers + " {");
    for (StoredType.Field field : type.fields()) {
      out.println("  " + field.type() + " " + field.name() + "; // field " + field.id());
    }
    out.println("}");
    out.println();
  }
}
