package io.everheap.error;

/** The heap was closed, or is being closed, by this or another thread. */
public final class HeapClosedException extends EverheapException {

  /**
   * Says which heap.
   *
   * @param location of the heap
   */
  public HeapClosedException(String location) {
    super("EH-CLOSED", "the heap at " + location + " is closed; open it again with Heap.open");
  }
}
