package io.everheap.error;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * The storage of a heap has no room for a write, or the user's quota is used up; code {@value
 * #CODE}. Nothing that was acknowledged is lost: free space and try again.
 *
 * @since 0.9
 */
@Stable
public final class DiskFullException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-DISK-FULL";

  /**
   * Creates the exception.
   *
   * @param message the operation, the file, the offset and the length in bytes
   * @param cause the error of the operating system, or {@code null}
   */
  public DiskFullException(String message, @Nullable Throwable cause) {
    super(CODE, message, cause);
  }
}
