package io.everheap.error;

/**
 * A transaction was used by a thread other than the one that runs it, or after its end; code
 * {@value #CODE}.
 */
public final class TransactionThreadException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-TX-THREAD";

  /**
   * Says which thread used the transaction and which one runs it.
   *
   * @param owner of the transaction
   */
  public TransactionThreadException(String owner) {
    super(
        CODE,
        "thread "
            + Thread.currentThread()
            + " used the transaction of thread "
            + owner
            + ", or one that has ended; a transaction belongs to the body that it was given to");
  }
}
