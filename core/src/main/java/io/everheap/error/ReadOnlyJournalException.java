package io.everheap.error;

/** A journal that was opened for reading only was asked to change; code {@value #CODE}. */
public final class ReadOnlyJournalException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-JOURNAL-READ-ONLY";

  private static final long serialVersionUID = 1L;

  /**
   * Says which journal.
   *
   * @param location of the journal
   */
  public ReadOnlyJournalException(String location) {
    super(CODE, "the journal at " + location + " is open for reading only");
  }
}
