package io.everheap.error;

import io.everheap.stability.Stable;

/**
 * A limit of the configuration leaves no room; nothing was changed, and everything committed is
 * unharmed.
 *
 * <ul>
 *   <li>{@value #CODE}: a heap would have to grow beyond its size limit. The transaction that asked
 *       for the space can be rolled back or continue without it. Free blocks and commit, or open
 *       the heap with a larger limit.
 *   <li>{@value #MEMORY_CODE}: a heap was not opened, because the open heaps of the process leave
 *       too little memory for its pages. They share a quarter of the memory of the machine, or of
 *       its control group. Close heaps, give the process more memory, or give this heap a fixed
 *       part with {@code HeapBuilder.memoryBudget}.
 * </ul>
 *
 * @see DiskFullException
 * @since 0.9
 */
@Stable
public final class FullException extends EverheapException {
  /** The code for the size of a heap. */
  public static final String CODE = "EH-HEAP-FULL";

  /** The code for the memory of all heaps. */
  public static final String MEMORY_CODE = "EH-MEMORY";

  private static final long serialVersionUID = 1L;

  private final long limit;

  private FullException(String code, String message, long limit) {
    super(code, message);
    this.limit = limit;
  }

  /**
   * Says how much space a heap would need.
   *
   * @param limit the size the heap may have, in bytes
   * @param needed the size the heap would need to have, in bytes
   * @param setting the name of the setting that raises the limit
   * @return the exception
   */
  public static FullException heap(long limit, long needed, String setting) {
    return new FullException(
        CODE,
        "The heap is full: it would need "
            + needed
            + " bytes but is limited to "
            + limit
            + " bytes. Free blocks, or reopen it with a larger "
            + setting
            + ".",
        limit);
  }

  /**
   * Says what takes the memory of the process.
   *
   * @param location of the heap
   * @param share the bytes that all heaps share
   * @param memory the bytes that the process can use
   * @param fixed the bytes of fixed parts
   * @param heaps number of open heaps without a fixed part
   * @param least the bytes that each needs
   * @return the exception
   */
  public static FullException memory(
      String location, long share, long memory, long fixed, long heaps, long least) {
    return new FullException(
        MEMORY_CODE,
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
            + ". Close heaps, give the process more memory, or set memoryBudget for this heap.",
        share);
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MiB";
  }

  /**
   * Returns the limit.
   *
   * @return the size that the heap may have, or the memory that all heaps share, in bytes
   */
  public long limit() {
    return limit;
  }
}
