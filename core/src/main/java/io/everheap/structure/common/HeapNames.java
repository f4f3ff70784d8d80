package io.everheap.structure.common;

import org.jspecify.annotations.Nullable;

/** The tables of names that a heap keeps, which are structures themselves. */
public interface HeapNames {
  /** The types by number. */
  TypeNames types();

  /** Whether this is the reference of the table of roots. */
  boolean isRootTable(long reference);

  /** The name of the root with this reference, or null; looks through all roots. */
  @Nullable String rootName(long reference);
}
