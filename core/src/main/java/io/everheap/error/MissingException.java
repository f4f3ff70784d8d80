package io.everheap.error;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * There is no heap, store, cache or backup at a path, code {@value #CODE}, or no journal, code
 * {@value #JOURNAL_CODE}; or its restore or deletion was interrupted. Nothing was made there.
 *
 * @since 0.9
 */
@Stable
public final class MissingException extends EverheapException {
  /** The code for everything but journals. */
  public static final String CODE = "EH-MISSING";

  /** The code for journals. */
  public static final String JOURNAL_CODE = "EH-JOURNAL-MISSING";

  private static final long serialVersionUID = 1L;

  private MissingException(String code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /**
   * Creates the exception for anything but a journal.
   *
   * @param message the path and what was found there
   * @param cause the error of the operating system, or {@code null}
   * @return the exception
   */
  public static MissingException heap(String message, @Nullable Throwable cause) {
    return new MissingException(CODE, message, cause);
  }

  /**
   * Creates the exception for a journal.
   *
   * @param location where it should be
   * @param cause the error of the operating system, or {@code null}
   * @return the exception
   */
  public static MissingException journal(String location, @Nullable Throwable cause) {
    return new MissingException(JOURNAL_CODE, "there is no journal at " + location, cause);
  }
}
