package io.everheap.error;

/**
 * A store, or a call that concerns the running transaction, outside of a transaction of this
 * thread; code {@value #CODE}.
 */
public final class TransactionRequiredException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-TX-REQUIRED";

  /** Creates the exception. */
  public TransactionRequiredException() {
    super(CODE, "this thread is not inside a transaction; call it within Heap.transact");
  }
}
