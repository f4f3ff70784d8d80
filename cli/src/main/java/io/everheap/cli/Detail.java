package io.everheap.cli;

import io.everheap.codec.ObjectReference;
import io.everheap.collection.DescribedFields;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The depth to which the structures and objects that values refer to are printed. Each object is
 * printed once within one value; further occurrences, cycles included, are printed as type and
 * address.
 */
final class Detail {
  /** Only the values themselves. */
  static final Detail NONE = new Detail(0, 0, reference -> Optional.empty(), Set.of());

  private final int structures;
  private final int objects;
  private final Function<ObjectReference, Optional<DescribedFields>> fields;
  private final Set<Long> printed;

  private Detail(
      int structures,
      int objects,
      Function<ObjectReference, Optional<DescribedFields>> fields,
      Set<Long> printed) {
    this.structures = structures;
    this.objects = objects;
    this.fields = fields;
    this.printed = printed;
  }

  /**
   * Creates the detail for one value.
   *
   * @param structures levels of structures within structures
   * @param objects levels of objects that lead to objects
   * @param fields finds an object; empty if it is gone
   */
  static Detail of(
      int structures, int objects, Function<ObjectReference, Optional<DescribedFields>> fields) {
    return new Detail(structures, objects, fields, new HashSet<>());
  }

  /** Whether structures are printed with their contents. */
  boolean hasStructures() {
    return structures > 0;
  }

  /** Whether objects are printed with their fields. */
  boolean hasObjects() {
    return objects > 0;
  }

  /** Whether an object occurs for the first time. */
  boolean isFirst(ObjectReference object) {
    return printed.add(object.reference());
  }

  /** The fields of an object, if it exists. */
  Optional<DescribedFields> fields(ObjectReference object) {
    return fields.apply(object);
  }

  /** The detail for the contents of a structure. */
  Detail withinStructure() {
    return new Detail(structures - 1, objects, fields, printed);
  }

  /** The detail for the fields of an object. */
  Detail withinObject() {
    return new Detail(structures, objects - 1, fields, printed);
  }
}
