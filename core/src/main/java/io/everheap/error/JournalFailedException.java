package io.everheap.error;

import org.jspecify.annotations.Nullable;

/**
 * It is unknown whether records are durable, because the medium failed while they were written;
 * code {@value #CODE}. The journal can no longer be used until it is opened again; then it has all
 * records that were reported durable, and may have some of the others, without a gap.
 */
public final class JournalFailedException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-JOURNAL-FAILED";

  private static final long serialVersionUID = 1L;

  /**
   * Says which journal failed, and from what.
   *
   * @param location of the journal
   * @param cause what failed
   */
  public JournalFailedException(String location, @Nullable Throwable cause) {
    super(
        CODE,
        "the journal at "
            + location
            + " stopped after a failure"
            + (cause == null ? "" : " (" + cause.getMessage() + ")")
            + "; outcome unknown: reopen the journal",
        cause);
  }
}
