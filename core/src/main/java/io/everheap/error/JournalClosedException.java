package io.everheap.error;

/** A journal, or a reader of it, was closed by this or another thread; code {@value #CODE}. */
public final class JournalClosedException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-JOURNAL-CLOSED";

  private static final long serialVersionUID = 1L;

  /**
   * Says which journal.
   *
   * @param location of the journal
   */
  public JournalClosedException(String location) {
    super(CODE, "the journal at " + location + " is closed; open it again with Journal.open");
  }
}
