package io.everheap.object.type;

/**
 * One field of a stored type.
 *
 * @param id stays the same while the field lives, whatever its name becomes; never used again for
 *     another field of the type
 * @param name as in Java
 * @param type of its values
 */
public record FieldDescriptor(int id, String name, FieldType type) {
  @Override
  public String toString() {
    return id + " " + name + " " + type;
  }
}
