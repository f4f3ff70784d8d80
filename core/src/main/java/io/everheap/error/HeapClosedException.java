package io.everheap.error;

/** The heap was closed, or is being closed, by this or another thread; code {@value #CODE}. */
public final class HeapClosedException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-CLOSED";

  /**
   * Says which heap.
   *
   * @param location of the heap
   */
  public HeapClosedException(String location) {
    super(CODE, "the heap at " + location + " is closed; open it again with Heap.open");
  }
}
