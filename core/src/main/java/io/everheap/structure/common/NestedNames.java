package io.everheap.structure.common;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names of types of values that are structures: what can be seen without parsing them. */
public final class NestedNames {
  /** The prefix of these names. */
  static final String PREFIX = "ref ";

  /** Prefixes of the names of types that can change. */
  private static final Set<String> CHANGING =
      Set.of(NestedNames.PREFIX, "versions<", "record ", "sealed ", "enum ");

  private NestedNames() {}

  /** Whether this is the name of a type of structures, sound or not. */
  public static boolean isNested(@Nullable String name) {
    return name != null && name.startsWith(PREFIX);
  }

  /**
   * Whether a structure with a type may be held where another one is named: what holds it may come
   * from another version of the program.
   */
  public static boolean isRelated(String held, @Nullable String type) {
    return held.equals(type)
        || (type != null
            && CHANGING.stream().anyMatch(w -> held.startsWith(w) && type.startsWith(w)));
  }
}
