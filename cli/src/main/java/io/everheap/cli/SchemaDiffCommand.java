package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.StoredType;
import io.everheap.codec.Was;
import io.everheap.durable.TypeDifference;
import io.everheap.durable.TypeDifference.Kind;
import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code everheap schema diff DIR}: can a program's classes read what a heap holds? */
@Command(
    name = "diff",
    description = {
      "Compares the stored types of objects, records, enums and sealed types with the classes on a"
          + " class path. Nothing in the heap changes. The exit code is 0 if they can read"
          + " everything, 1 if a class is refused."
    })
final class SchemaDiffCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Option(
      names = {"--classpath", "-cp"},
      required = true,
      paramLabel = "PATH",
      description = "Jars and directories of classes, separated as for java.")
  private String classPath;

  @Override
  public Integer call() throws Exception {
    List<Path> paths =
        Arrays.stream(classPath.split(File.pathSeparator, -1))
            .filter(part -> !part.isEmpty())
            .map(Path::of)
            .toList();
    List<TypeDifference> differences = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    try (DurableClasses classes = new DurableClasses(paths);
        Heap heap = arguments.open()) {
      Set<String> values = heap.valueTypes();
      Set<String> found = new HashSet<>();
      for (Class<?> type : classes.load(values)) {
        differences.add(heap.compare(type));
        found.add(type.getName());
        Was was = type.getAnnotation(Was.class);
        found.addAll(was == null ? List.of() : List.of(was.value()));
      }
      values.stream()
          .filter(name -> !found.contains(name.replaceFirst("<.*", "")))
          .forEach(unknown::add);
      heap.types().stream()
          .filter(StoredType::newest)
          .map(StoredType::name)
          .filter(name -> differences.stream().noneMatch(d -> d.type().equals(name)))
          .forEach(unknown::add);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (arguments.json()) {
      printJson(out, differences, unknown);
    } else {
      differences.forEach(difference -> print(out, difference));
      unknown.forEach(
          type -> out.println("? " + type + ": no class on the class path; dump can read it"));
      if (differences.isEmpty()) {
        out.println("No class of stored objects or values is on the class path.");
      }
      out.flush();
    }
    boolean refused = differences.stream().anyMatch(d -> d.kind() == Kind.REFUSED);
    return refused ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  private static void print(PrintWriter out, TypeDifference difference) {
    out.println(
        mark(difference.kind())
            + difference.type()
            + " ("
            + difference.className()
            + "): "
            + word(difference.kind()));
    if (!difference.reason().isEmpty()) {
      out.println("    " + difference.reason());
    }
    for (TypeDifference.Field field : difference.fields()) {
      if (field.kind() != Kind.SAME) {
        String was = field.stored().isEmpty() ? "" : "stored " + field.stored();
        String is = field.wanted().isEmpty() ? "" : "wanted " + field.wanted();
        String between = was.isEmpty() || is.isEmpty() ? "" : ", ";
        out.println("  " + mark(field.kind()) + field.name() + ": " + was + between + is);
        out.println("      " + field.meaning());
      }
    }
  }

  private static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static String mark(Kind kind) {
    return switch (kind) {
      case SAME -> "= ";
      case COMPATIBLE -> "~ ";
      case REFUSED -> "! ";
    };
  }

  private static void printJson(
      PrintWriter out, List<TypeDifference> differences, List<String> unknown)
      throws java.io.IOException {
    Json.document(
        out,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("classes");
          for (TypeDifference difference : differences) {
            json.writeStartObject();
            json.writeStringField("type", difference.type());
            json.writeStringField("class", difference.className());
            json.writeStringField("kind", word(difference.kind()));
            json.writeStringField("reason", difference.reason());
            json.writeArrayFieldStart("fields");
            for (TypeDifference.Field field : difference.fields()) {
              Json.write(
                  json,
                  Map.of(
                      "name", field.name(),
                      "kind", word(field.kind()),
                      "stored", field.stored(),
                      "wanted", field.wanted(),
                      "meaning", field.meaning()));
            }
            json.writeEndArray();
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeFieldName("withoutClass");
          Json.write(json, unknown);
          json.writeEndObject();
        });
  }
}
