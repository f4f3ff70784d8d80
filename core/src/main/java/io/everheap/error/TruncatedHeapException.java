package io.everheap.error;

/**
 * A file of the heap is shorter than its superblock says; code {@value #CODE}. It was not changed.
 */
public final class TruncatedHeapException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-TRUNCATED";

  /**
   * Says the size and the expected size.
   *
   * @param file that is too short
   * @param size that it has, in bytes
   * @param expected minimum size, in bytes
   */
  public TruncatedHeapException(String file, long size, long expected) {
    super(
        CODE,
        file
            + " has "
            + size
            + " bytes, but at least "
            + expected
            + " belong to it; restore it from a backup, or save what is left with salvage");
  }
}
