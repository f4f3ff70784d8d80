package io.everheap.error;

/** A store, or a call about the running transaction, outside a transaction of this thread. */
public final class TransactionRequiredException extends EverheapException {

  /** Says where it belongs. */
  public TransactionRequiredException() {
    super(
        "EH-TX-REQUIRED", "this thread is not inside a transaction; call it within Heap.transact");
  }
}
