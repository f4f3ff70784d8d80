package io.everheap;

import io.everheap.durable.type.StoredTypes;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.stability.Stable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A version of a type of durable objects, as it is stored in a heap.
 *
 * @param number of the version in the heap's type table
 * @param name of the type, the same in all versions
 * @param newest whether it is the one that was added last
 * @param supertypes names of the durable types that it extends, directly or not
 * @param fields its own and the inherited ones, by their ids
 * @since 0.9
 */
@Stable
public record StoredType(
    long number, String name, boolean newest, List<String> supertypes, List<Field> fields) {
  /** Copies the lists. */
  public StoredType {
    supertypes = List.copyOf(supertypes);
    fields = List.copyOf(fields);
  }

  /**
   * A field.
   *
   * @param id stays the same when the field is renamed or widened
   * @param name of the field
   * @param type of its values: a primitive type, an enum with its constants, the name of a codec,
   *     of another type of objects, or of a type of structures
   */
  public record Field(int id, String name, String type) {}

  /** All types of objects, by their numbers. */
  static List<StoredType> all(StoredTypes table) {
    List<StoredType> types = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Map.Entry<Long, String> entry : List.copyOf(table.all().entrySet()).reversed()) {
      if (TypeDescriptor.isText(entry.getValue())) {
        TypeDescriptor type = TypeDescriptor.parse(entry.getValue());
        List<Field> fields =
            type.fields().stream()
                .map(f -> new Field(f.id(), f.name(), f.type().toJava()))
                .toList();
        boolean newest = seen.add(type.name());
        types.addFirst(
            new StoredType(entry.getKey(), type.name(), newest, type.supertypes(), fields));
      }
    }
    return types;
  }
}
