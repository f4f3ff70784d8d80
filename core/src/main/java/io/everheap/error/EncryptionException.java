package io.everheap.error;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * An encrypted heap cannot be opened, or not in this way: its key is missing or another one, a key
 * cannot be had from its provider, or something was asked for that encrypted heaps do not have;
 * code {@value #CODE}. Messages never contain a key.
 *
 * @since 0.9
 */
@Stable
public final class EncryptionException extends EverheapException {
  /** The stable code of this exception. */
  public static final String CODE = "EH-ENCRYPTION";

  /**
   * Creates the exception.
   *
   * @param message what happened, where, and what to do
   */
  public EncryptionException(String message) {
    this(message, null);
  }

  /**
   * Creates the exception with a cause.
   *
   * @param message what happened, where, and what to do
   * @param cause the underlying failure, or {@code null}
   */
  public EncryptionException(String message, @Nullable Throwable cause) {
    super(CODE, message, cause);
  }
}
