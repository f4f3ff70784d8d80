package io.everheap.weaver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

/** A random durable type, in both forms, that changes from one version of a program to the next. */
final class Shape {
  /** Types of fields, each with what it can be widened to. */
  enum Type {
    BOOLEAN("boolean"),
    BYTE("byte"),
    SHORT("short"),
    CHAR("char"),
    INT("int"),
    FLOAT("float"),
    LONG("long"),
    DOUBLE("double"),
    TEXT("String"),
    BOXED("Long"),
    DAY("java.time.LocalDate"),
    BYTES("byte[]"),
    NAMES("List<String>"),
    OTHER("Thing");

    final String java;

    Type(String java) {
      this.java = java;
    }

    boolean widens(Type to) {
      return switch (this) {
        case BYTE -> to == SHORT || to == INT || to == LONG || to == FLOAT || to == DOUBLE;
        case SHORT, CHAR -> to == INT || to == LONG || to == FLOAT || to == DOUBLE;
        case INT -> to == LONG || to == DOUBLE;
        case FLOAT -> to == DOUBLE;
        default -> false;
      };
    }
  }

  /** A field, with the names that it had. */
  record Field(String name, Type type, List<String> formerly) {}

  private final Random random;
  private final List<Field> fields = new ArrayList<>();
  private int named;

  Shape(Random random) {
    this.random = random;
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      add();
    }
  }

  List<Field> fields() {
    return fields;
  }

  private void add() {
    Type[] types = Type.values();
    fields.add(new Field("f" + named++, types[random.nextInt(types.length)], List.of()));
  }

  /** Adds, removes, renames and widens some. Names are never used again. */
  void change() {
    int changes = random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      if (fields.isEmpty() || random.nextInt(4) == 0) {
        add();
        continue;
      }
      int at = random.nextInt(fields.size());
      Field field = fields.get(at);
      switch (random.nextInt(3)) {
        case 0 -> fields.remove(at);
        case 1 -> {
          List<String> formerly = new ArrayList<>(field.formerly);
          formerly.add(field.name);
          fields.set(at, new Field("f" + named++, field.type, formerly));
        }
        default -> {
          for (Type to : Type.values()) {
            if (field.type.widens(to) && random.nextBoolean()) {
              fields.set(at, new Field(field.name, to, field.formerly));
              break;
            }
          }
        }
      }
    }
  }

  private static String was(Field field) {
    return field.formerly.isEmpty()
        ? ""
        : field.formerly.stream().collect(Collectors.joining("\", \"", "@Was({\"", "\"}) "));
  }

  /** The sources as an interface, sometimes with some of the fields in one that it extends. */
  String[] asInterface() {
    List<String> own = new ArrayList<>();
    List<String> inherited = new ArrayList<>();
    boolean split = random.nextBoolean();
    for (Field f : shuffled()) {
      (split && random.nextBoolean() ? inherited : own)
          .add(
              String.format(
                  Locale.ROOT,
                  "%s%s %s(); void %s(%s value);",
                  was(f),
                  f.type.java,
                  f.name,
                  f.name,
                  f.type.java));
    }
    return new String[] {
      "public interface Base { " + String.join(" ", inherited) + " }",
      "@Durable public interface Thing extends Base { " + String.join(" ", own) + " }"
    };
  }

  /** The sources as a class, with some of the fields in classes that it extends. */
  String[] asClass() {
    List<String> own = new ArrayList<>();
    List<String> inherited = new ArrayList<>();
    int kind = random.nextInt(3);
    for (Field f : shuffled()) {
      boolean above = kind > 0 && random.nextBoolean();
      String access = List.of("", "private ", "public ", "protected ").get(random.nextInt(4));
      boolean direct = !above || !access.equals("private ");
      String text = was(f) + access + f.type.java + " " + f.name + "; ";
      String methods =
          String.format(
              Locale.ROOT,
              "public %s %s() { return %s; } public void %s(%s v) { this.%s = v; } ",
              f.type.java,
              f.name,
              f.name,
              f.name,
              f.type.java,
              f.name);
      (above ? inherited : own).add(direct ? text : text + methods);
      if (direct) {
        own.add(methods);
      }
    }
    return switch (kind) {
      case 0 -> new String[] {"@Durable public class Thing { " + String.join("", own) + "}"};
      case 1 ->
          new String[] {
            "@Durable public abstract class Base { " + String.join("", inherited) + "}",
            "@Durable public class Thing extends Base { " + String.join("", own) + "}"
          };
      default ->
          new String[] {
            "@Durable public class Base<T> { " + String.join("", inherited) + "}",
            "@Durable @Atomic public final class Thing extends Base<String> { static int made; "
                + "transient Object note; Thing() { made++; } "
                + String.join("", own)
                + "}"
          };
    };
  }

  private List<Field> shuffled() {
    List<Field> all = new ArrayList<>(fields);
    java.util.Collections.shuffle(all, random);
    if (random.nextInt(4) == 0) {
      all.sort(Comparator.comparing(Field::name));
    }
    return all;
  }
}
