package io.everheap.weaver;

import java.util.List;

/**
 * Thrown when a class cannot be woven as it is. The message names what to change, a line for each
 * reason.
 *
 * @since 0.9
 */
public final class WeavingException extends RuntimeException {
  private final String className;
  private final List<String> problems;

  WeavingException(String className, List<String> problems) {
    super("cannot weave " + className + ":\n  " + String.join("\n  ", problems));
    this.className = className;
    this.problems = List.copyOf(problems);
  }

  /** The class, as in {@code Class.getName}. */
  public String className() {
    return className;
  }

  /** The reasons. */
  public List<String> problems() {
    return problems;
  }
}
