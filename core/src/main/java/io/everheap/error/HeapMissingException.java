package io.everheap.error;

import org.jspecify.annotations.Nullable;

/** The path of a heap is not a directory, or nothing is there; code {@value #CODE}. */
public final class HeapMissingException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-MISSING";

  /**
   * Creates the exception.
   *
   * @param message the path and what was found there
   * @param cause the error of the operating system, or {@code null}
   */
  public HeapMissingException(String message, @Nullable Throwable cause) {
    super(CODE, message, cause);
  }
}
