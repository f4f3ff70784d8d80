package io.everheap.error;

/** A store, or a call about the running transaction, outside a transaction of this thread. */
public final class TransactionRequiredException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-TX-REQUIRED";

  /** Says where it belongs. */
  public TransactionRequiredException() {
    super(CODE, "this thread is not inside a transaction; call it within Heap.transact");
  }
}
