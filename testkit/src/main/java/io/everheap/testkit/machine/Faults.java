package io.everheap.testkit.machine;

import io.everheap.error.DiskFullException;
import io.everheap.error.MediumException;
import java.io.IOException;
import java.util.Locale;

/**
 * The failures of a simulated disk. Calls are counted from the moment a fault is requested; the
 * first call is number 1. Guarded by the medium's lock.
 */
public final class Faults {
  private final SimulatedMedium medium;
  private long syncs = -1;
  private long durableWrites = -1;
  private long writes = -1;
  private long allocations = -1;
  private long resizes = -1;

  Faults(SimulatedMedium medium) {
    this.medium = medium;
  }

  /**
   * Lets a sync of a file fail with EIO. The page cache counts as clean afterwards, so that a later
   * sync succeeds without writing what was lost.
   *
   * @param nth which sync
   */
  public void failSync(long nth) {
    synchronized (medium) {
      syncs = nth;
    }
  }

  /**
   * Lets a durable write fail with EIO after it changed the page cache.
   *
   * @param nth which durable write
   */
  public void failDurableWrite(long nth) {
    synchronized (medium) {
      durableWrites = nth;
    }
  }

  /**
   * Lets a write, durable or not, fail with EIO after half of its bytes, or of its sectors if it
   * writes whole ones.
   *
   * @param nth which write
   */
  public void cutWrite(long nth) {
    synchronized (medium) {
      writes = nth;
    }
  }

  /**
   * Lets a change of a file's length fail with EIO, without effect.
   *
   * @param nth which change that the process asked for; a mapping that makes a file longer is none
   */
  public void failResize(long nth) {
    synchronized (medium) {
      resizes = nth;
    }
  }

  /**
   * Lets the disk be full: a page that takes new space, and each after it, fails until {@link
   * #freeSpace}. A store to a hole of a shared mapping then fails as it would on a real machine,
   * with an {@link InternalError}.
   *
   * @param nth which new page of 4 KiB is the first that has no room
   */
  public void fillDisk(long nth) {
    synchronized (medium) {
      allocations = nth;
    }
  }

  /** Ends {@link #fillDisk}. */
  public void freeSpace() {
    synchronized (medium) {
      allocations = -1;
    }
  }

  boolean syncFails() {
    return syncs > 0 && --syncs == 0;
  }

  boolean durableWriteFails() {
    return durableWrites > 0 && --durableWrites == 0;
  }

  boolean writeIsCut() {
    return writes > 0 && --writes == 0;
  }

  boolean resizeFails() {
    return resizes > 0 && --resizes == 0;
  }

  void allocating(String file, long position, boolean call) {
    if (allocations > 1) {
      allocations--;
    } else if (allocations == 1) {
      String what =
          String.format(
              Locale.ROOT, "no space left on the simulated disk: %s at offset %d", file, position);
      if (call) {
        throw new DiskFullException(what, null);
      }
      throw new InternalError("a fault occurred in a recent unsafe memory access: " + what);
    }
  }

  static MediumException inputOutputError(String operation, String file, long position, int size) {
    return new MediumException(
        String.format(
            Locale.ROOT,
            "cannot %s %s at offset %d, %d bytes: simulated",
            operation,
            file,
            position,
            size),
        new IOException("Input/output error"));
  }
}
