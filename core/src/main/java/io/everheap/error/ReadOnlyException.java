package io.everheap.error;

import io.everheap.stability.Stable;

/**
 * A heap, code {@value #CODE}, or a journal, code {@value #JOURNAL_CODE}, that is open for reading
 * was asked to change.
 *
 * @since 0.9
 */
@Stable
public final class ReadOnlyException extends EverheapException {
  /** The code for heaps. */
  public static final String CODE = "EH-READ-ONLY";

  /** The code for journals. */
  public static final String JOURNAL_CODE = "EH-JOURNAL-READ-ONLY";

  private static final long serialVersionUID = 1L;

  private ReadOnlyException(String code, String message) {
    super(code, message);
  }

  /**
   * Creates the exception for a heap.
   *
   * @param message what was asked for, and where
   * @return the exception
   */
  public static ReadOnlyException heap(String message) {
    return new ReadOnlyException(CODE, message);
  }

  /**
   * Says which journal.
   *
   * @param location of the journal
   * @return the exception
   */
  public static ReadOnlyException journal(String location) {
    return new ReadOnlyException(
        JOURNAL_CODE, "the journal at " + location + " is open for reading only");
  }
}
