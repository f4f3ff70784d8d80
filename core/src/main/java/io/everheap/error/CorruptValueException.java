package io.everheap.error;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * Bytes are not what the codec that reads them would have written; code {@value #CODE}. They are
 * damaged, or were written by another codec, or the value's class now refuses a value that it
 * accepted when it was stored.
 *
 * @since 0.9
 */
@Stable
public final class CorruptValueException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-CODEC-VALUE";

  /**
   * Creates the exception without a cause.
   *
   * @param message what was found, where, and what was expected
   */
  public CorruptValueException(String message) {
    this(message, null);
  }

  /**
   * Creates the exception.
   *
   * @param message what was found, where, and what was expected
   * @param cause the exception of the value's class, or {@code null}
   */
  public CorruptValueException(String message, @Nullable Throwable cause) {
    super(CODE, message, cause);
  }
}
