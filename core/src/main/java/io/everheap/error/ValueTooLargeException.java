package io.everheap.error;

import org.jspecify.annotations.Nullable;

/**
 * A value takes more bytes, or is nested more deeply, than a heap can store; code {@value #CODE}.
 * Nothing was stored.
 */
public final class ValueTooLargeException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-CODEC-TOO-LARGE";

  /**
   * Creates the exception without a cause.
   *
   * @param message the size or depth and its limit
   */
  public ValueTooLargeException(String message) {
    this(message, null);
  }

  /**
   * Creates the exception.
   *
   * @param message the size or depth and its limit
   * @param cause the underlying failure, or {@code null}
   */
  public ValueTooLargeException(String message, @Nullable Throwable cause) {
    super(CODE, message, cause);
  }
}
