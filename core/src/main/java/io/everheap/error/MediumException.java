package io.everheap.error;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * The operating system refused an operation on a file, code {@value #CODE}, or this directory or
 * JVM does not support the requested medium, code {@value #UNSUPPORTED_CODE}. The message names the
 * operation, the file, and the offset and length in bytes where there are any.
 *
 * @since 0.9
 */
@Stable
public final class MediumException extends EverheapException {
  /** The code for an operation that failed. */
  public static final String CODE = "EH-IO";

  /** The code for a medium that is not supported. */
  public static final String UNSUPPORTED_CODE = "EH-UNSUPPORTED";

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception for an operation that failed.
   *
   * @param message the operation, the file, the offset and the length in bytes
   * @param cause the error of the operating system, or {@code null}
   */
  public MediumException(String message, @Nullable Throwable cause) {
    this(CODE, message, cause);
  }

  private MediumException(String code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /**
   * Creates the exception for a medium that is not supported.
   *
   * @param message the directory, what is missing, and what to do
   * @return the exception
   */
  public static MediumException unsupported(String message) {
    return new MediumException(UNSUPPORTED_CODE, message, null);
  }
}
