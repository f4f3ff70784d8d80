package io.everheap.error;

/**
 * A reference names a block that is not there any more, or never was: it was freed, its allocation
 * was rolled back, or the reference was made up (EH-STALE).
 *
 * <p>The heap is unharmed; nothing was read from or written to whatever lives at that address now.
 */
public final class StaleReferenceException extends EverheapException {
  /** The stable code of this exception. */
  public static final String CODE = "EH-STALE";

  /**
   * Creates the exception.
   *
   * @param message which reference, and what was found at its address
   */
  public StaleReferenceException(String message) {
    super(CODE, message);
  }
}
