package io.everheap.error;

/**
 * A reference leads to no block: the block was freed, its allocation was rolled back, or the
 * reference never was one; code {@value #CODE}.
 *
 * <p>The heap is unharmed; nothing was read from or written to the block that may be at that
 * address now.
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
