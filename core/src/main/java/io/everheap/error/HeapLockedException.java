package io.everheap.error;

import java.util.OptionalLong;

/**
 * A heap cannot be opened because it is open already, in this process or in another; code {@value
 * #CODE}. A heap is open for writing once, or for reading by any number of processes.
 */
public final class HeapLockedException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-LOCKED";

  private final OptionalLong pid;

  /**
   * Creates the exception.
   *
   * @param message the heap, the process that holds it, and what to do
   * @param pid the process that holds the heap, if it is known
   */
  public HeapLockedException(String message, OptionalLong pid) {
    super(CODE, message);
    this.pid = pid;
  }

  /**
   * Returns the process that holds the heap.
   *
   * @return its id, or empty if it is not known, for example because it only reads
   */
  public OptionalLong pid() {
    return pid;
  }
}
