package io.everheap.error;

import org.jspecify.annotations.Nullable;

/** There is no journal at a path that was to be read; code {@value #CODE}. */
public final class JournalMissingException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-JOURNAL-MISSING";

  private static final long serialVersionUID = 1L;

  /**
   * Says where there is none.
   *
   * @param location that was given
   * @param cause what the operating system said, or {@code null}
   */
  public JournalMissingException(String location, @Nullable Throwable cause) {
    super(CODE, "there is no journal at " + location, cause);
  }
}
