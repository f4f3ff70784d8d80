package io.everheap.structure.common;

import io.everheap.object.type.StoredTypes;

/** The types of a heap by number and by name. */
public interface TypeNames extends StoredTypes {
  /** The name of the type with this number, or what says that there is none. */
  String name(long number);

  /** The number of a type, or 0 if there is none of this name. */
  long find(String name);
}
