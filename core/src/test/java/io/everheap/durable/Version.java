package io.everheap.durable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What one version of the program has.
 *
 * @param name of the record
 * @param source of the record, and of other types
 * @param components of a record that it makes; a text {@code :Kind.A} is a constant
 */
@SuppressWarnings("ArrayRecordComponent") // it is never compared
record Version(String name, String[] source, Object... components) {
  /** Each is compatible with those before it. */
  static final List<Version> SUCCESSIVE =
      List.of(
          Version.of("int x", 1),
          Version.of("int x, String y", 2, "b"),
          Version.of("@Was(\"x\") long z, String y", 3L, "c"),
          Version.of("@Was(\"x\") long z, int x", 4L, 40),
          Version.of("@Was(\"x\") long z, int x, @Was(\"y\") String t", 5L, 50, "e"));

  /** The records that they make, as texts of the last one. */
  static final List<String> AS_THE_LAST_READS =
      List.of(
          "Point[z=1, x=0, t=null]",
          "Point[z=2, x=0, t=b]",
          "Point[z=3, x=0, t=c]",
          "Point[z=4, x=40, t=null]",
          "Point[z=5, x=50, t=e]");

  static Version of(String components, Object... values) {
    return new Version("Point", new String[] {point(components)}, values);
  }

  static String point(String components) {
    return "public record Point(" + components + ") implements Shape {}";
  }

  Version and(String more) {
    List<String> all = new ArrayList<>(List.of(source));
    all.add(more);
    return new Version(name, all.toArray(String[]::new), components);
  }

  Compiled compile(Path directory) {
    List<String> all = new ArrayList<>(List.of(source));
    all.add("public sealed interface Shape permits " + name + ", Other {}");
    all.add("public record Other(int other) implements Shape {}");
    all.add(
        String.format(
            Locale.ROOT,
            "public record Box(%1$s one, java.util.List<%1$s> many, java.util.Optional<%1$s> maybe) {}",
            name));
    all.add(
        String.format(
            Locale.ROOT,
            """
        @Durable public interface Holder {
          %1$s one(); void one(%1$s value);
          java.util.List<%1$s> many(); void many(java.util.List<%1$s> value);
          io.everheap.collection.DurableList<%1$s> durable();
          void durable(io.everheap.collection.DurableList<%1$s> value);
        }""",
            name));
    return Compiled.of(directory, all.toArray(String[]::new));
  }

  @SuppressWarnings("unchecked")
  Class<Object> type(Compiled program) {
    return (Class<Object>) program.type(name);
  }

  Object make(Compiled program) {
    return program.make(
        name,
        Arrays.stream(components)
            .map(
                component ->
                    component instanceof String text && text.startsWith(":")
                        ? program.constant(
                            text.substring(1, text.indexOf('.')),
                            text.substring(text.indexOf('.') + 1))
                        : component)
            .toArray());
  }
}
