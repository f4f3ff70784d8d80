package io.everheap.error;

/** A file of the heap is shorter than its superblock says. It was not changed. */
public final class TruncatedHeapException extends EverheapException {

  /**
   * Says how much is there.
   *
   * @param file that is too short
   * @param size that it has, in bytes
   * @param expected the least size that it must have, in bytes
   */
  public TruncatedHeapException(String file, long size, long expected) {
    super(
        "EH-TRUNCATED",
        file
            + " has "
            + size
            + " bytes, but at least "
            + expected
            + " belong to it; restore it from a backup, or save what is left with salvage");
  }
}
