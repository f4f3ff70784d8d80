package io.everheap.error;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * A value, code {@value #CODE}, or a transaction, code {@value #TRANSACTION_CODE}, is larger than a
 * heap accepts; a value also if it is nested too deeply. Nothing was stored. Split it.
 *
 * <p>A transaction that is too large is rolled back, also if the program catches this exception
 * inside of it: the innermost level of the transaction, or an operation that is one by itself,
 * cannot commit.
 *
 * @since 0.9
 */
@Stable
public final class TooLargeException extends EverheapException {
  /** The code for values. */
  public static final String CODE = "EH-CODEC-TOO-LARGE";

  /** The code for transactions. */
  public static final String TRANSACTION_CODE = "EH-TX-TOO-LARGE";

  private static final long serialVersionUID = 1L;

  private TooLargeException(String code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /**
   * Creates the exception for a value.
   *
   * @param message the size or depth and its limit
   * @return the exception
   */
  public static TooLargeException value(String message) {
    return value(message, null);
  }

  /**
   * Creates the exception for a value, with a cause.
   *
   * @param message the size or depth and its limit
   * @param cause the underlying failure, or {@code null}
   * @return the exception
   */
  public static TooLargeException value(String message, @Nullable Throwable cause) {
    return new TooLargeException(CODE, message, cause);
  }

  /**
   * Says the size of a transaction and the limit.
   *
   * @param bytes that the transaction needs in the log
   * @param limit of the heap, in bytes
   * @return the exception
   */
  public static TooLargeException transaction(long bytes, long limit) {
    return new TooLargeException(
        TRANSACTION_CODE,
        "the transaction needs "
            + bytes
            + " bytes of log, more than its limit of "
            + limit
            + "; split it, or raise HeapBuilder.maxTransaction",
        null);
  }
}
