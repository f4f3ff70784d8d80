package io.everheap.object.type;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names and numbers of the types of a heap, as the calling thread may see them. */
public interface StoredTypes {
  /** The name of a type, or null if none has this number. */
  @Nullable String find(long number);

  /**
   * The number of a type, which is added if it is not there.
   *
   * @throws io.everheap.error.TransactionRequiredException outside of a transaction
   */
  long number(String name);

  /** All names by their numbers, ascending; a copy. */
  Map<Long, String> all();
}
