package io.everheap.error;

/** A heap that was opened read-only was asked to change; code {@value #CODE}. */
public final class ReadOnlyHeapException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-READ-ONLY";

  /**
   * Creates the exception.
   *
   * @param message what was asked for, and where
   */
  public ReadOnlyHeapException(String message) {
    super(CODE, message);
  }
}
