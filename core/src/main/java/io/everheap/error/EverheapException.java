package io.everheap.error;

import io.everheap.stability.Stable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The root of all exceptions that Everheap throws for the state of a heap, a medium or a record.
 *
 * <p>Each carries a code that is stable across releases, so that programs and operators can rely on
 * it; the message names the path, offset and sizes concerned, ends with the code, and may change.
 * Bad arguments are reported with the JDK's own exceptions instead.
 *
 * @since 0.9
 */
@Stable
public abstract class EverheapException extends RuntimeException {
  private final String code;

  /**
   * Creates an exception without a cause.
   *
   * @param code the stable code of this kind of failure
   * @param message what happened, where, and what to do about it
   */
  protected EverheapException(String code, String message) {
    this(code, message, null);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param code the stable code of this kind of failure
   * @param message what happened, where, and what to do about it
   * @param cause the underlying failure, or {@code null}
   */
  protected EverheapException(String code, String message, @Nullable Throwable cause) {
    super(withCode(message, Objects.requireNonNull(code, "code")), cause);
    this.code = code;
  }

  /** Appends the code, unless the message has it already, as one that quotes another message. */
  private static String withCode(String message, String code) {
    String end = "(" + code + ")";
    return message.contains(end) ? message : message + " " + end;
  }

  /**
   * Returns the code of this kind of failure.
   *
   * @return a code that stays the same across releases
   */
  public final String code() {
    return code;
  }
}
