package io.everheap.object;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.alloc.SlotShape;
import io.everheap.error.StaleReferenceException;
import io.everheap.object.type.FieldDescriptor;
import io.everheap.object.type.ObjectLayout;
import io.everheap.object.type.TypeDescriptor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A durable interface or class in one open heap: its version, its layout, and how handles are made.
 * It is public for the classes that the library generates, which only pass it on.
 */
public final class ObjectType {
  final ObjectMemory memory;
  final Class<?> javaClass;
  final TypeDescriptor descriptor;
  final ObjectLayout layout;
  final BoundField[] fields;
  final TypeNumber number;

  /**
   * By the index of a field in a woven class: its offset if it is a primitive one, else its
   * position.
   */
  final int[] places;

  /** Null if there are no objects of just this interface. */
  final @Nullable DurableObject prototype;

  /** Why that is so. */
  final @Nullable String problem;

  private final Map<StoredVersion, int[]> positions = new ConcurrentHashMap<>();

  /** Of its objects, once it was needed; see {@code ObjectSpace.shape}. Races do no harm. */
  @Nullable SlotShape shape;

  /** The last stored version that was found to be this one; races do no harm. */
  private @Nullable StoredVersion current;

  ObjectType(
      ObjectMemory memory,
      Class<?> javaClass,
      ObjectLayout layout,
      BoundField[] fields,
      int[] places,
      @Nullable DurableObject prototype,
      TypeNumber number,
      @Nullable String problem) {
    this.problem = problem;
    this.memory = memory;
    this.javaClass = javaClass;
    this.descriptor = layout.type();
    this.layout = layout;
    this.fields = fields;
    this.places = places;
    this.prototype = prototype;
    this.number = number;
  }

  /**
   * Where the fields of the class stand in a stored version; -1 for those that it does not have.
   */
  int[] positions(StoredVersion version) {
    int[] known = positions.get(version);
    if (known == null) {
      known = new int[fields.length];
      for (int i = 0; i < known.length; i++) {
        FieldDescriptor stored = version.type.field(fields[i].descriptor.id());
        known[i] = stored == null ? -1 : version.type.fields().indexOf(stored);
      }
      positions.put(version, known);
    }
    return known;
  }

  /** Whether a stored version is the one of the class. */
  @SuppressWarnings("ReferenceEquality") // a short cut
  boolean isCurrent(StoredVersion version) {
    if (version == current) {
      return true;
    }
    boolean same = version.type.equals(descriptor);
    if (same) {
      current = version;
    }
    return same;
  }

  /** The field that begins at an offset. */
  BoundField at(int offset) {
    for (BoundField field : fields) {
      if (field.offset == offset) {
        return field;
      }
    }
    throw new AssertionError("no field of " + javaClass + " is at " + offset);
  }

  /** Says of which type the object was that a reference leads to no more, and what may be why. */
  StaleReferenceException gone(long reference, StaleReferenceException why) {
    return new StaleReferenceException(
        nameOf(reference)
            + " is not in the heap: it was freed, or made in a transaction that was rolled back. "
            + why.getMessage());
  }

  /** The type and the address of an object. */
  String nameOf(long reference) {
    return javaClass.getSimpleName() + '@' + Long.toHexString(Reference.address(reference));
  }

  @Override
  public String toString() {
    return descriptor.name();
  }
}
