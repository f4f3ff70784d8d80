package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.StoredType;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code everheap schema DIR}: the types of the objects in a heap. */
@Command(
    name = "schema",
    description = "Prints the stored types of durable objects like Java source.")
final class SchemaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Option(names = "--all", description = "Older versions of the types, too.")
  private boolean all;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    List<StoredType> types;
    try (Heap heap = arguments.open()) {
      types = heap.types().stream().filter(type -> all || type.newest()).toList();
    }
    if (arguments.json()) {
      Json.document(
          out,
          json -> {
            json.writeStartArray();
            for (StoredType type : types) {
              json.writeStartObject();
              json.writeStringField("name", type.name());
              json.writeNumberField("number", type.number());
              json.writeBooleanField("newest", type.newest());
              json.writeFieldName("supertypes");
              Json.write(json, type.supertypes());
              json.writeArrayFieldStart("fields");
              for (StoredType.Field field : type.fields()) {
                Json.write(
                    json, Map.of("id", field.id(), "name", field.name(), "type", field.type()));
              }
              json.writeEndArray();
              json.writeEndObject();
            }
            json.writeEndArray();
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
    out.println("@Durable interface " + type.name() + supers + " {");
    for (StoredType.Field field : type.fields()) {
      out.println("  " + field.type() + " " + field.name() + "; // field " + field.id());
    }
    out.println("}");
    out.println();
  }
}
