package io.everheap.cache.codec;

import java.io.InvalidClassException;

/** Says why a value cannot be deserialized, without anything of the value. Stateless. */
final class CodecFailures {
  private CodecFailures() {}

  /**
   * The exception as a text. Only those that name classes are shown with their message: in others
   * the program or the JDK may have put the value.
   */
  static String reason(Throwable e) {
    boolean namesClasses =
        e instanceof ClassNotFoundException
            || e instanceof LinkageError
            || e instanceof InvalidClassException;
    return namesClasses ? e.toString() : e.getClass().getName();
  }
}
