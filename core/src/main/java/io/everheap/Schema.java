package io.everheap;

import io.everheap.durable.TypeDifference;
import io.everheap.stability.Stable;
import java.util.List;
import java.util.Set;

/**
 * The types that a heap has stored, and how those of a program differ. Only the library implements
 * it.
 *
 * <p>Thread-safe.
 *
 * @since 0.9
 */
@Stable
public interface Schema {
  /**
   * The stored types of durable objects, in all their versions, the oldest first; a copy.
   *
   * @throws io.everheap.error.CorruptException if the type table is damaged
   */
  List<StoredType> types();

  /**
   * Names of the records, enums and sealed types of the keys, values and elements of all roots and
   * of the structures within them; a copy.
   */
  Set<String> valueTypes();

  /**
   * Returns how a durable class, a record, an enum or a sealed type differs from its stored form in
   * the heap. The class is not bound to the heap, so it may be one that {@link Heap#use} refuses.
   * For a record, an enum or a sealed type, the result has one field for each place that holds its
   * values. Of each root that holds nothing but such values, the first thousand are decoded: if the
   * constructor refuses all, the place is refused; if it refuses some, the place says so.
   *
   * @throws IllegalArgumentException if it is none of these
   * @throws io.everheap.error.CorruptException if the type table is damaged
   */
  TypeDifference compare(Class<?> type);
}
