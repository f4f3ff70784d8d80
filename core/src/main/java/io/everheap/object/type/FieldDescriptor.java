package io.everheap.object.type;

/**
 * One field of a stored type.
 *
 * @param id stays the same when the field is renamed, and is never reused for another field of the
 *     type
 * @param name as in Java
 * @param type of its values
 */
public record FieldDescriptor(int id, String name, FieldType type) {
  @Override
  public String toString() {
    return id + " " + name + " " + type;
  }
}
