package io.everheap;

import io.everheap.object.TypeDifference;
import java.util.List;
import java.util.Set;

/**
 * The types that a heap has stored, and how those of a program differ. Only the library implements
 * it.
 *
 * <p>Thread-safe.
 */
public interface Schema {
  /**
   * The stored types of durable objects, in all their versions, the oldest first; a copy.
   *
   * @throws io.everheap.error.CorruptHeapException if the type table is damaged
   */
  List<StoredType> types();

  /**
   * Names of the records, enums and sealed types that keys, values and elements of roots have, and
   * of structures within them; a copy.
   */
  Set<String> valueTypes();

  /**
   * Tells how a durable class, a record, an enum or a sealed type differs from what the heap has
   * stored of it. The class is not used for that: it may be one that {@link Heap#use} would refuse.
   * Of a record, an enum or a sealed type, the fields are the places that hold its values.
   *
   * @throws IllegalArgumentException if it is none of these
   * @throws io.everheap.error.CorruptHeapException if the type table is damaged
   */
  TypeDifference compare(Class<?> type);
}
