package io.everheap.durable;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The fields of a durable interface {@code Thing}, drawn by chance, and its later versions. */
final class RandomShape {
  /** How numbers may be widened; the first of a row to any other of it. */
  private static final List<List<String>> WIDENINGS =
      List.of(
          List.of("byte", "short", "int", "long", "float", "double"),
          List.of("short", "int", "long", "float", "double"),
          List.of("char", "int", "long", "float", "double"),
          List.of("int", "long", "double"),
          List.of("float", "double"));

  private static final List<String> TYPES =
      List.of(
          "boolean",
          "byte",
          "short",
          "char",
          "int",
          "float",
          "long",
          "double",
          "String",
          "Long",
          "Integer",
          "java.math.BigDecimal",
          "java.time.LocalDate",
          "byte[]",
          "java.util.List<String>",
          "java.util.Optional<String>",
          "Color",
          "Money",
          "Thing");

  /** A field; its id stays the same through all versions. */
  record Field(int id, String name, String was, String type) {
    String source() {
      String mark = was.isEmpty() ? "" : "@Was(\"" + was + "\") ";
      return mark + type + " " + name + "(); void " + name + "(" + type + " value); ";
    }
  }

  final List<Field> fields = new ArrayList<>();
  private final List<String> constants = new ArrayList<>(List.of("RED", "GREEN"));
  private final Random random;
  private int nextId;

  RandomShape(Random random) {
    this.random = random;
    int count = 1 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      add();
    }
  }

  private void add() {
    int id = nextId++;
    // names of any order, for the layout goes by ids
    String name = (char) ('a' + random.nextInt(26)) + "field" + id;
    fields.add(new Field(id, name, "", TYPES.get(random.nextInt(TYPES.size()))));
  }

  /** The interface, with the types that it needs. */
  String source() {
    StringBuilder body = new StringBuilder();
    fields.forEach(field -> body.append(field.source()));
    return "@Durable public interface Thing { "
        + body
        + "enum Color {"
        + String.join(",", constants)
        + "} record Money(long amount, String currency) {} }";
  }

  /** Changes the interface as programs change: adds, removes, renames, widens. */
  void evolve() {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      switch (random.nextInt(5)) {
        case 0 -> add();
        case 1 -> {
          int at = random.nextInt(fields.size());
          if (fields.size() > 1 && !fields.get(at).type.equals("Thing")) { // or it would dangle
            fields.remove(at);
          }
        }
        case 2 -> rename(random.nextInt(fields.size()));
        case 3 -> widen(random.nextInt(fields.size()));
        default -> constants.add(random.nextInt(constants.size() + 1), "COLOR" + nextId++);
      }
    }
  }

  private void rename(int at) {
    Field field = fields.get(at);
    if (field.was.isEmpty()) {
      fields.set(at, new Field(field.id, "renamed" + nextId++, field.name, field.type));
    }
  }

  private void widen(int at) {
    Field field = fields.get(at);
    for (List<String> row : WIDENINGS) {
      if (row.getFirst().equals(field.type)) {
        String wider = row.get(1 + random.nextInt(row.size() - 1));
        fields.set(at, new Field(field.id, field.name, field.was, wider));
        return;
      }
    }
  }

  /** A value of a type in the text that {@link #text} makes of it; objects are others' business. */
  @Nullable Object value(String type, Compiled program) {
    boolean none = random.nextInt(5) == 0;
    return switch (type) {
      case "boolean" -> random.nextBoolean();
      case "byte" -> (byte) random.nextInt();
      case "short" -> (short) random.nextInt();
      case "char" -> (char) random.nextInt();
      case "int" -> random.nextInt();
      case "float" -> random.nextFloat();
      case "long" -> random.nextLong();
      case "double" -> random.nextDouble();
      case "java.util.Optional<String>" -> none ? Optional.empty() : Optional.of(string());
      default -> none ? null : object(type, program);
    };
  }

  private Object object(String type, Compiled program) {
    return switch (type) {
      case "String" -> string();
      case "Long" -> random.nextLong();
      case "Integer" -> random.nextInt();
      case "java.math.BigDecimal" -> BigDecimal.valueOf(random.nextLong(), random.nextInt(9));
      case "java.time.LocalDate" -> LocalDate.ofEpochDay(random.nextInt(100_000));
      case "byte[]" -> string().getBytes(java.nio.charset.StandardCharsets.UTF_8);
      case "java.util.List<String>" -> List.of(string(), string());
      case "Color" ->
          program.constant("Thing$Color", constants.get(random.nextInt(constants.size())));
      case "Money" -> money(program);
      default -> throw new IllegalArgumentException(type);
    };
  }

  private Object money(Compiled program) {
    try {
      return program
          .type("Thing$Money")
          .getDeclaredConstructor(long.class, String.class)
          .newInstance(random.nextLong(), string());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private String string() {
    return "x".repeat(random.nextInt(4) == 0 ? random.nextInt(300) : random.nextInt(20))
        + random.nextInt();
  }

  /** What is compared: a value as a field of a type has it. */
  static String text(@Nullable Object value, String type) {
    return switch (value) {
      case byte[] bytes -> Arrays.toString(bytes);
      case Character letter when !type.equals("char") -> text((int) letter, type);
      case Number number when type.equals("long") -> Long.toString(number.longValue());
      case Number number when type.equals("float") -> Float.toString(number.floatValue());
      case Number number when type.equals("double") -> Double.toString(number.doubleValue());
      case null, default -> String.valueOf(value);
    };
  }

  /** What a field has in objects that were written without it. */
  static @Nullable Object empty(String type) {
    return switch (type) {
      case "boolean" -> false;
      case "char" -> '\0';
      case "byte", "short", "int", "long" -> 0;
      case "float", "double" -> 0.0f;
      default -> null;
    };
  }
}
