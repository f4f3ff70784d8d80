package io.everheap.error;

import io.everheap.stability.Stable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A root holds values of other types than the program asked for, or a durable interface cannot read
 * the objects of its type; code {@value #CODE}. Nothing was changed.
 *
 * @since 0.9
 */
@Stable
public final class SchemaMismatchException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-SCHEMA";

  /**
   * Says what is stored and what was wanted.
   *
   * @param root name of the root
   * @param part what differs, for example "key"
   * @param stored type in the heap
   * @param wanted type that the program asked for
   */
  public SchemaMismatchException(String root, String part, String stored, String wanted) {
    this(root, part, stored, wanted, List.of());
  }

  /**
   * Says what is stored and what was wanted, and what cannot be read.
   *
   * @param root name of the root
   * @param part what differs, for example "value"
   * @param stored type in the heap
   * @param wanted type that the program asked for
   * @param differences one line for each thing that cannot be read
   */
  public SchemaMismatchException(
      String root, String part, String stored, String wanted, List<String> differences) {
    super(
        CODE,
        "root \""
            + root
            + "\" "
            + difference(part)
            + ":\n  stored: "
            + stored
            + "\n  wanted: "
            + wanted
            + differences.stream().map(line -> "\n  " + line).collect(Collectors.joining())
            + "\nopen it with the stored type, or copy its entries into a new root");
  }

  private static String difference(String part) {
    return switch (part) {
      case "kind" -> "is another kind of structure";
      case "order" -> "has another order";
      default -> "has another " + part + " type";
    };
  }

  private SchemaMismatchException(String message) {
    super(CODE, message);
  }

  /**
   * Says how the stored version of a type of objects differs from the program's.
   *
   * @param type its name in the heap
   * @param javaClass name of the class
   * @param differences one line for each field that cannot be read
   * @return the exception
   */
  public static SchemaMismatchException ofType(
      String type, String javaClass, List<String> differences) {
    return new SchemaMismatchException(
        "the class "
            + javaClass
            + " cannot read the objects of type \""
            + type
            + "\" in the heap:\n  "
            + String.join("\n  ", differences)
            + "\ngive the field its stored type back, or a wider one; or give the new one another"
            + " name, and copy the values over");
  }
}
