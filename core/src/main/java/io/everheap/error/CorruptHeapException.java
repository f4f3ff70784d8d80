package io.everheap.error;

/**
 * Bytes of a heap are not what Everheap can have written there; code {@value #CODE}. They are not
 * used, and nothing is changed.
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
