package io.everheap.error;

/** This directory or this JVM does not support the requested medium; code {@value #CODE}. */
public final class MediumUnsupportedException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-UNSUPPORTED";

  /**
   * Creates the exception.
   *
   * @param message the directory, what is missing, and what to do
   */
  public MediumUnsupportedException(String message) {
    super(CODE, message);
  }
}
