package io.everheap.error;

/**
 * A heap was not opened, because the open heaps of the process leave too little memory for its
 * pages; code {@value #CODE}. Nothing was changed.
 *
 * <p>All heaps of a process share a quarter of the memory of the machine, or of its control group.
 * Close heaps, give the process more memory, or give this heap a fixed part with {@code
 * HeapBuilder.memoryBudget}.
 */
public final class MemoryExhaustedException extends EverheapException {
  /** The stable code of this exception. */
  public static final String CODE = "EH-MEMORY";

  /**
   * Creates the exception.
   *
   * @param location of the heap
   * @param share the bytes that all heaps share
   * @param memory the bytes that the process can use
   * @param fixed the bytes of fixed parts
   * @param heaps number of open heaps without a fixed part
   * @param least the bytes that each needs
   */
  public MemoryExhaustedException(
      String location, long share, long memory, long fixed, long heaps, long least) {
    super(
        CODE,
        "The heap at "
            + location
            + " cannot be opened: the heaps of this process share "
            + mebibytes(share)
            + ", a quarter of its memory of "
            + mebibytes(memory)
            + ". Fixed parts (HeapBuilder.memoryBudget) take "
            + mebibytes(fixed)
            + " of them, and "
            + heaps
            + " other open heaps divide the rest, of which each heap needs "
            + mebibytes(least)
            + ". Close heaps, give the process more memory, or set memoryBudget for this heap.");
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MiB";
  }
}
