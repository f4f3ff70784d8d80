package io.everheap.error;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * A heap, code {@value #CODE}, or a journal, code {@value #JOURNAL_CODE}, stopped because its
 * medium failed during a write: it is unknown whether the last transactions or records are durable.
 * It cannot be used until it is opened again. Then each transaction is there completely or not at
 * all, a journal has no gap, and nothing that was reported durable is missing.
 *
 * @since 0.9
 */
@Stable
public final class StoppedException extends EverheapException {
  /** The code for heaps. */
  public static final String CODE = "EH-POISONED";

  /** The code for journals. */
  public static final String JOURNAL_CODE = "EH-JOURNAL-FAILED";

  private static final long serialVersionUID = 1L;

  private StoppedException(String code, String what, String location, @Nullable Throwable cause) {
    super(
        code,
        "the "
            + what
            + " at "
            + location
            + " stopped after a failure"
            + (cause == null ? "" : " (" + cause.getMessage() + ")")
            + "; outcome unknown: reopen the "
            + what,
        cause);
  }

  /**
   * Says which heap stopped, and why.
   *
   * @param location of the heap
   * @param cause what failed
   * @return the exception
   */
  public static StoppedException heap(String location, @Nullable Throwable cause) {
    return new StoppedException(CODE, "heap", location, cause);
  }

  /**
   * Says which journal stopped, and why.
   *
   * @param location of the journal
   * @param cause what failed
   * @return the exception
   */
  public static StoppedException journal(String location, @Nullable Throwable cause) {
    return new StoppedException(JOURNAL_CODE, "journal", location, cause);
  }
}
