package io.everheap.error;

import org.jspecify.annotations.Nullable;

/** There is no journal at the path to be opened for reading; code {@value #CODE}. */
public final class JournalMissingException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-JOURNAL-MISSING";

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param location that was given
   * @param cause the error of the operating system, or {@code null}
   */
  public JournalMissingException(String location, @Nullable Throwable cause) {
    super(CODE, "there is no journal at " + location, cause);
  }
}
