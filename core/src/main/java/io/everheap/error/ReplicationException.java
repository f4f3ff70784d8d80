package io.everheap.error;

import io.everheap.stability.Stable;

/**
 * A replica cannot follow its primary, or a commit was not copied to as many replicas as it should
 * be; code {@value #CODE}. What was committed before stands.
 *
 * @since 0.9
 */
@Stable
public final class ReplicationException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-REPLICATION";

  /**
   * Creates the exception.
   *
   * @param message which heap, what is wrong, and what to do
   */
  public ReplicationException(String message) {
    super(CODE, message);
  }

  /**
   * Creates the exception.
   *
   * @param message which heap, what is wrong, and what to do
   * @param cause of the failure
   */
  public ReplicationException(String message, Throwable cause) {
    super(CODE, message, cause);
  }
}
