package io.everheap.error;

/**
 * Bytes of a heap are not what Everheap can have written there (EH-CORRUPT).
 *
 * <p>Thrown instead of using them; nothing is changed.
 */
public final class CorruptHeapException extends EverheapException {
  /** The stable code of this exception. */
  public static final String CODE = "EH-CORRUPT";

  /**
   * Creates the exception.
   *
   * @param message where, and what is wrong
   */
  public CorruptHeapException(String message) {
    super(CODE, message);
  }
}
