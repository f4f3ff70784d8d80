package io.everheap.backup;

import java.util.concurrent.locks.LockSupport;

/** Keeps what is written below a number of bytes a second. Used by one thread. */
public final class Pace {
  private static final long STEP = 10_000_000;

  private final long bytesPerSecond;
  private final long begun = System.nanoTime();

  /**
   * Begins now.
   *
   * @param bytesPerSecond the limit; 0 for none
   */
  public Pace(long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("a rate of " + bytesPerSecond + " bytes per second");
    }
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Waits until so many bytes may have been written. An interrupt ends the waits, not the backup.
   *
   * @param meanwhile runs now and then
   */
  public void await(long bytes, Runnable meanwhile) {
    if (bytesPerSecond > 0) {
      long due = begun + (long) (bytes * 1e9 / bytesPerSecond);
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        meanwhile.run();
        LockSupport.parkNanos(Math.min(left, STEP));
        if (Thread.currentThread().isInterrupted()) {
          return;
        }
      }
    }
  }
}
