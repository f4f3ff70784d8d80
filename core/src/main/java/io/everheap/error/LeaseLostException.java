package io.everheap.error;

import io.everheap.stability.Stable;

/**
 * The lease of an element of a work queue has ended: the element was acknowledged or returned, or
 * the lease expired and another worker leased the element; code {@value #CODE}.
 *
 * <p>Nothing was changed. If it is thrown inside a transaction and not caught there, the
 * transaction is rolled back, so that the results of only one worker remain.
 *
 * @since 0.9
 */
@Stable
public final class LeaseLostException extends EverheapException {
  /** The stable code of this exception. */
  public static final String CODE = "EH-LEASE";

  /**
   * Creates the exception.
   *
   * @param message which lease, and why it may have ended
   */
  public LeaseLostException(String message) {
    super(CODE, message);
  }
}
