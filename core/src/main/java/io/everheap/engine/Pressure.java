package io.everheap.engine;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.Log;
import io.everheap.memory.Medium;
import java.util.function.LongSupplier;

/**
 * Decides when a checkpoint is due and when transactions must wait for it: by the size of the log,
 * which bounds recovery, and by the number of pages that differ from the file, which take memory.
 *
 * <p>{@link #after} is for the thread that holds the writer lock; the other methods are for any
 * thread.
 */
final class Pressure {
  /** What has to follow a commit. */
  enum Level {
    NONE,
    CHECKPOINT,
    WAIT
  }

  private static final long STEP = 64 << 10;

  private final Home home;
  private final Log log;
  private final LongSupplier allocated;
  private final boolean privatePages;
  private final MemoryShare memory;
  private final long begun; // LSN at the opening
  private final int ringSize;
  private long next;
  private volatile boolean requested;
  private volatile long last; // LSN at the end of the last checkpoint

  /**
   * Creates it.
   *
   * @param memory that private pages and the ring may take
   * @param ringSize size of the ring
   * @param allocated returns the size of the home file; works even if nothing else does
   */
  Pressure(
      MemoryShare memory, Medium medium, Home home, Log log, int ringSize, LongSupplier allocated) {
    this.allocated = allocated;
    this.home = home;
    this.log = log;
    this.privatePages = !medium.byteAddressable();
    this.memory = memory;
    this.begun = log.appended();
    this.ringSize = ringSize;
    resizeLog();
  }

  /** Called after each commit with the writer lock held; checks all limits every 64 KiB of log. */
  Level after(long lsn) {
    if (log.isLow()) { // at each commit, since even a short record may take a whole block
      return Level.WAIT;
    }
    if (lsn < next) {
      return Level.NONE;
    }
    next = lsn + STEP;
    if (high()) {
      return Level.WAIT;
    }
    if (!requested && due()) {
      requested = true;
      return Level.CHECKPOINT;
    }
    return Level.NONE;
  }

  /** Whether a checkpoint should run. */
  boolean due() {
    long limit = log.limit();
    long pageLimit = pageLimit();
    boolean halfUsed = log.used() > limit / 2; // perhaps by what is kept for a copy
    return (halfUsed && log.appended() - last > limit / 8)
        || log.old() > 0
        || isCrowded(pageLimit)
        || home.dirty().count() > pageLimit / 2;
  }

  /**
   * The size of the used log from which on transactions wait. Older epochs that are still needed
   * reduce it, but not below a quarter of the limit.
   */
  private long room() {
    long limit = log.limit();
    return Math.max(limit - limit / 8 - log.old(), limit / 4);
  }

  /** Called when a checkpoint has ended, successfully or not. */
  void ran() {
    last = log.appended();
    resizeLog();
  }

  /** A larger heap has a longer log, since a checkpoint has more pages to write. */
  private void resizeLog() {
    log.follow(allocated.getAsLong());
  }

  /** Called when a request has been served. */
  void relieved() {
    requested = false;
  }

  /**
   * The number of pages that may be private now, which depends on the other heaps. Also notes for
   * them what this heap uses.
   */
  private long pageLimit() {
    long ring = privatePages ? Math.min(log.appended() - begun, ringSize) : 0;
    return memory.pages(home.privatePages(), ring, allocated.getAsLong());
  }

  /** Whether so many pages are private that a checkpoint should make them shared again. */
  boolean crowded() {
    return isCrowded(pageLimit());
  }

  private boolean isCrowded(long pageLimit) {
    return privatePages && home.privatePages() > pageLimit - pageLimit / 4;
  }

  /** Exchanges with the heaps of other class loaders what they use. */
  void exchange() {
    memory.exchange();
  }

  /** Whether transactions must still wait. */
  boolean high() {
    return log.used() > room() || (privatePages && home.privatePages() > pageLimit());
  }

  /** Whether the whole image, decrypted, is no more than may stay after a checkpoint. */
  boolean fits() {
    return allocated.getAsLong() / HomeLayout.PAGE_SIZE <= pageLimit() / 2;
  }

  /** The number of private pages that may stay after a checkpoint: about half of the budget. */
  long keepResident() {
    long pageLimit = pageLimit();
    boolean many = home.privatePages() > pageLimit / 2 + pageLimit / 8;
    return many
        ? pageLimit / 2
        : Long.MAX_VALUE; // not today's number, which commits exceed at once
  }
}
