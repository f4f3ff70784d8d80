package io.everheap.error;

/**
 * The lease of an element of a work queue is over: the element was acknowledged or returned, or its
 * time was up and another worker has leased it (EH-LEASE).
 *
 * <p>Nothing was changed. Thrown inside a transaction and not caught there, it undoes what the
 * transaction did, so that the results of one worker alone remain.
 */
public final class LeaseLostException extends EverheapException {
  /** The stable code of this exception. */
  public static final String CODE = "EH-LEASE";

  /**
   * Creates the exception.
   *
   * @param message which lease, and why it may be over
   */
  public LeaseLostException(String message) {
    super(CODE, message);
  }
}
