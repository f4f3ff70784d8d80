package io.everheap.error;

import io.everheap.stability.Stable;

/**
 * A heap, code {@value #CODE}, or a journal or a reader of it, code {@value #JOURNAL_CODE}, was
 * closed, or is being closed, by this or another thread.
 *
 * @since 0.9
 */
@Stable
public final class ClosedException extends EverheapException {
  /** The code for heaps. */
  public static final String CODE = "EH-CLOSED";

  /** The code for journals. */
  public static final String JOURNAL_CODE = "EH-JOURNAL-CLOSED";

  private static final long serialVersionUID = 1L;

  private ClosedException(String code, String message) {
    super(code, message);
  }

  /**
   * Says which heap.
   *
   * @param location of the heap
   * @return the exception
   */
  public static ClosedException heap(String location) {
    return new ClosedException(
        CODE, "the heap at " + location + " is closed; open it again with Heap.open");
  }

  /**
   * Says which journal.
   *
   * @param location of the journal
   * @return the exception
   */
  public static ClosedException journal(String location) {
    return new ClosedException(
        JOURNAL_CODE, "the journal at " + location + " is closed; open it again with Journal.open");
  }
}
