package io.everheap.memory;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;

/**
 * Faults of mapped memory: an access of a page that its file no longer has, since the file was cut
 * off, or that the device cannot read or write.
 *
 * <p>HotSpot turns such a fault into an {@link InternalError}, but compiled code does not throw it
 * at the access. The access is skipped, a load yields any value, and the error is thrown at the
 * next safepoint poll: at the end of a loop's iteration, or in the caller of a method that returns.
 * If everything is compiled into one method, the next poll is in the program that called the
 * library, outside of each {@code catch}. So a caller that catches such an error calls {@link
 * #arrive} after the last access, inside the {@code try}, and before it trusts or publishes
 * anything. Single-word reads, such as a field of an object, skip this call for speed: their caller
 * may receive the {@code InternalError}.
 */
public final class MappedFaults {
  @SuppressWarnings("FieldMayBeFinal") // the compiler must not know that it never changes
  private static volatile int one = 1;

  private MappedFaults() {}

  /**
   * Throws the error of an access that the calling thread made before, if there was a fault. Takes
   * about a nanosecond.
   *
   * @throws InternalError for which {@link #isFault} is true
   */
  public static void arrive() {
    int left = 2;
    do { // of a loop that is not counted, each further iteration polls
      left -= one;
    } while (left > 0);
  }

  /**
   * Explains a fault: a file was cut off or replaced, the disk is full, or the device failed.
   *
   * @param medium that has the mapped file
   * @return the exception to throw, or to stop with; the fault is its cause or suppressed in it
   */
  public static EverheapException explain(Medium medium, Throwable fault) {
    try {
      medium.requireIntact();
    } catch (EverheapException e) {
      e.addSuppressed(fault);
      return e;
    }
    String what = "cannot load or store a mapped page of a file in " + medium.location() + ": ";
    return medium.isFull() && medium.copiesOnWrite()
        ? new DiskFullException(
            what
                + "no space is left, and the file system copies what is written (btrfs, or files"
                + " that were copied with reflinks); free space and open it again",
            fault)
        : new MediumException(
            what + "the file was cut off, or the device failed or is full", fault);
  }

  /** Whether an error is a fault of mapped memory. */
  public static boolean isFault(Throwable error) {
    return error instanceof InternalError
        && String.valueOf(error.getMessage()).contains("unsafe memory access");
  }
}
