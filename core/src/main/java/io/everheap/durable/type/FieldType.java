package io.everheap.durable.type;

import java.util.List;

/**
 * The stored type of a field.
 *
 * @param storage of the values
 * @param detail the name of the codec of a {@link Storage#WORD} or {@link Storage#CELL}; {@code
 *     bank.Kind(RED,GREEN)} for an enum; the name of the type that a {@link Storage#REF} leads to;
 *     empty for primitive types
 */
public record FieldType(Storage storage, String detail) {
  /** Returns a primitive type. */
  public static FieldType primitive(Storage storage) {
    return new FieldType(storage, "");
  }

  /** Returns the type of an enum field with these constants, in the order of their codes. */
  public static FieldType enumeration(String name, List<String> constants) {
    return new FieldType(Storage.ENUM, name + "(" + String.join(",", constants) + ")");
  }

  /** Names of the constants of an enum field, in the order of their codes, which begin at 1. */
  public List<String> constants() {
    String list = detail.substring(detail.indexOf('(') + 1, detail.length() - 1);
    return list.isEmpty() ? List.of() : List.of(list.split(",", -1));
  }

  /** Name of the class of an enum field. */
  public String enumName() {
    return detail.substring(0, detail.indexOf('('));
  }

  /** Its text in a type: {@code long}, {@code cell string}. */
  @Override
  public String toString() {
    return detail.isEmpty() ? storage.keyword() : storage.keyword() + " " + detail;
  }

  /** Returns the type in a notation like that of Java, for messages. */
  public String toJava() {
    return switch (storage) {
      case ENUM -> "enum " + detail;
      case WORD, CELL, REF -> detail;
      default -> storage.keyword();
    };
  }
}
