package io.everheap.error;

/**
 * A transaction stored more than the heap accepts; code {@value #CODE}. It is rolled back, also if
 * the program catches this exception inside of it: the innermost level of the transaction, or an
 * operation that is one by itself, cannot commit.
 */
public final class TransactionTooLargeException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-TX-TOO-LARGE";

  /**
   * Says the size and the limit.
   *
   * @param bytes that the transaction needs in the log
   * @param limit of the heap, in bytes
   */
  public TransactionTooLargeException(long bytes, long limit) {
    super(
        CODE,
        "the transaction needs "
            + bytes
            + " bytes of log, more than its limit of "
            + limit
            + "; split it, or raise HeapBuilder.maxTransaction");
  }
}
