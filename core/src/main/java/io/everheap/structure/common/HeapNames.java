package io.everheap.structure.common;

import org.jspecify.annotations.Nullable;

/** The tables of names that a heap keeps, which are structures themselves. */
public interface HeapNames {
  /** The types by number. */
  TypeNames types();

  /** The name of the root with this reference, or null; looks through all roots. */
  @Nullable String rootName(long reference);
}
