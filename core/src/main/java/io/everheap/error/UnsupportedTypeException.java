package io.everheap.error;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * No codec is known for a type, so its values cannot be stored; code {@value #CODE}. The message
 * names the type, the place that needs it and what to do.
 *
 * @since 0.9
 */
@Stable
public final class UnsupportedTypeException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-CODEC-UNSUPPORTED";

  /**
   * Creates the exception.
   *
   * @param type the full name of the type that has no codec
   * @param path the place that needs it, for example {@code Account.owner}
   * @param advice what is wrong with it and what to do
   * @param cause the underlying failure, or {@code null}
   */
  public UnsupportedTypeException(
      String type, String path, String advice, @Nullable Throwable cause) {
    super(CODE, "no codec for " + type + ", needed by " + path + ": " + advice, cause);
  }
}
