package io.everheap.durable.type;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The type table of a heap: its types by number and by name, as the calling thread sees it. */
public interface StoredTypes {
  /** Returns the name of a type, or null if no type has this number. */
  @Nullable String find(long number);

  /**
   * Returns the number of a type, which is added if it is missing.
   *
   * @throws io.everheap.error.OutsideTransactionException outside of a transaction
   */
  long number(String name);

  /** Returns a copy of all names by their numbers, ascending. */
  Map<Long, String> all();
}
