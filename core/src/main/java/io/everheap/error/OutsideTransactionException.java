package io.everheap.error;

import io.everheap.stability.Stable;

/**
 * A call that needs the running transaction was made outside of it: in a thread without a
 * transaction, code {@value #CODE}, or in another thread than that of the transaction, or after its
 * end, code {@value #THREAD_CODE}. Call it within {@code Heap.transact}, in its thread.
 *
 * @since 0.9
 */
@Stable
public final class OutsideTransactionException extends EverheapException {
  /** The code for a thread without a transaction. */
  public static final String CODE = "EH-TX-REQUIRED";

  /** The code for another thread, or a transaction that has ended. */
  public static final String THREAD_CODE = "EH-TX-THREAD";

  private static final long serialVersionUID = 1L;

  private OutsideTransactionException(String code, String message) {
    super(code, message);
  }

  /**
   * Creates the exception for a thread without a transaction.
   *
   * @return the exception
   */
  public static OutsideTransactionException required() {
    return new OutsideTransactionException(
        CODE, "this thread is not inside a transaction; call it within Heap.transact");
  }

  /**
   * Says which thread used the transaction and which one runs it.
   *
   * @param owner of the transaction
   * @return the exception
   */
  public static OutsideTransactionException thread(String owner) {
    return new OutsideTransactionException(
        THREAD_CODE,
        "thread "
            + Thread.currentThread()
            + " used the transaction of thread "
            + owner
            + ", or one that has ended; a transaction belongs to the body that it was given to");
  }
}
