package io.everheap.durable;

import io.everheap.stability.Stable;
import java.util.List;

/**
 * How a durable class, a record, an enum or a sealed type of a program differs from what a heap has
 * stored of its type.
 *
 * @param type its name in heaps
 * @param className name of the class
 * @param kind of the type: the worst of its fields
 * @param reason why it is refused, if not because of a field; else empty
 * @param fields all fields of the class and of the newest stored version, by name
 * @since 0.9
 */
@Stable
public record TypeDifference(
    String type, String className, Kind kind, String reason, List<Field> fields) {

  /** Copies the list. */
  public TypeDifference {
    fields = List.copyOf(fields);
  }

  /** What a difference means; ascending by severity. */
  public enum Kind {
    /** None. */
    SAME,
    /** The program can read all objects; those that it writes may be converted. */
    COMPATIBLE,
    /** The program cannot use this heap with this class. */
    REFUSED
  }

  /**
   * A field; of a record, an enum or a sealed type, a place in the heap that holds its values.
   *
   * @param name in the class; if the class does not have it, in the heap
   * @param kind what the difference means
   * @param stored its stored type, as Java has it; empty if it is not stored
   * @param wanted its type in the class; empty if the class does not have it
   * @param meaning what will happen, or why it is refused; empty if it is the same
   */
  public record Field(String name, Kind kind, String stored, String wanted, String meaning) {}
}
