package io.everheap.error;

import org.jspecify.annotations.Nullable;

/**
 * An operation on a file of a heap failed; code {@value #CODE}. The message names the operation,
 * the file, and the offset and length in bytes where there are any.
 */
public final class MediumException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-IO";

  /**
   * Creates the exception.
   *
   * @param message the operation, the file, the offset and the length in bytes
   * @param cause the error of the operating system, or {@code null}
   */
  public MediumException(String message, @Nullable Throwable cause) {
    super(CODE, message, cause);
  }
}
