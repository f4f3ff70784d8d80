package io.everheap.memory;

/**
 * Loads classes that are first used when something fails or is closed. By then it may be impossible
 * to load any: the class loader was closed, or the jars of a running program were replaced.
 */
public final class ClassesAhead {
  private ClassesAhead() {}

  /** Loads, links and initializes classes. */
  public static void load(Class<?>... types) {
    for (Class<?> type : types) {
      try {
        Class<?> _ = Class.forName(type.getName(), true, type.getClassLoader());
      } catch (ClassNotFoundException e) {
        throw new LinkageError(type.getName(), e); // it is there already
      }
    }
  }
}
