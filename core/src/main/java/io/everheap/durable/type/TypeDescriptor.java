package io.everheap.durable.type;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One version of a type of objects, as the heap's type table holds it: all that is needed to read
 * an object without its class. Each change of the fields of a class makes another version; an
 * object names the version that it was written with. Immutable.
 *
 * @param name of the type, the same in all versions
 * @param supertypes names of all durable types that it extends, directly or not, sorted
 * @param fields its own and the inherited ones, by ascending id
 */
public record TypeDescriptor(String name, List<String> supertypes, List<Field> fields) {
  /**
   * One field of a stored type.
   *
   * @param id stays the same when the field is renamed, and is never reused for another field of
   *     the type
   * @param name as in Java
   * @param type of its values
   */
  public record Field(int id, String name, FieldType type) {
    @Override
    public String toString() {
      return id + " " + name + " " + type;
    }
  }

  /** Maximum number of fields of a type, so that every object fits a slot of the allocator. */
  public static final int MAX_FIELDS = 500;

  /** Prefix of the text of every descriptor. */
  public static final String KEYWORD = "object ";

  /** Copies the lists. */
  public TypeDescriptor {
    supertypes = List.copyOf(supertypes);
    fields = List.copyOf(fields);
  }

  /** Whether a name in the type table is the text of a descriptor. */
  public static boolean isText(String text) {
    return text.startsWith(KEYWORD) && text.endsWith(")");
  }

  /**
   * Parses the text of a descriptor, which may be damaged or hostile.
   *
   * @throws io.everheap.error.CorruptException if it is not a descriptor
   */
  public static TypeDescriptor parse(String text) {
    return new DescriptorParser(text).parse();
  }

  /**
   * The text in the type table: {@code object bank.Account(1 balance long, 2 owner cell string)}.
   */
  public String text() {
    String supers = supertypes.isEmpty() ? "" : " " + String.join(" ", supertypes);
    return fields.stream()
        .map(Field::toString)
        .collect(Collectors.joining(", ", KEYWORD + name + supers + "(", ")"));
  }

  /** Returns the field with this name, or null. */
  public @Nullable Field field(String fieldName) {
    for (Field field : fields) {
      if (field.name().equals(fieldName)) {
        return field;
      }
    }
    return null;
  }

  /** Returns the field with this id, or null. */
  public @Nullable Field field(int id) {
    for (Field field : fields) {
      if (field.id() == id) {
        return field;
      }
    }
    return null;
  }

  /** Whether references to the type with this name may lead to objects of this type. */
  public boolean isA(String type) {
    return name.equals(type) || supertypes.contains(type);
  }
}
