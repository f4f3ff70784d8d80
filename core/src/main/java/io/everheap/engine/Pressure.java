package io.everheap.engine;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.Log;
import io.everheap.memory.Medium;

/**
 * Decides when a checkpoint is due and when transactions must wait for it: by the size of the log,
 * which bounds recovery, and by the pages that differ from the file, which bound memory.
 */
final class Pressure {
  /** What a commit calls for. */
  enum Level {
    NONE,
    CHECKPOINT,
    WAIT
  }

  private static final long STEP = 64 << 10;

  private final Home home;
  private final Log log;
  private final boolean privatePages;
  private final long logLimit;
  private final long pageLimit;
  private long next;
  private volatile boolean requested;

  Pressure(EngineOptions options, Medium medium, Home home, Log log) {
    this.home = home;
    this.log = log;
    this.privatePages = !medium.byteAddressable();
    this.logLimit = log.limit(); // more than asked for if the heap has larger segments
    this.pageLimit = options.memoryBudget() / HomeLayout.PAGE_SIZE;
  }

  /** Called after each commit with the writer lock held; looks closer every 64 KiB of log. */
  Level after(long lsn) {
    if (log.isLow()) { // at each commit: a lone one takes a block, however short its record is
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

  /** Whether there is enough for a checkpoint to do. */
  boolean due() {
    return log.used() > logLimit / 2
        || log.old() > 0
        || (privatePages && home.resident().count() > pageLimit - pageLimit / 4)
        || home.dirty().count() > pageLimit / 2;
  }

  /**
   * How much of the log may be used before transactions wait. Older epochs that are still needed
   * count, but leave some room at least.
   */
  private long room() {
    return Math.max(logLimit - logLimit / 8 - log.old(), logLimit / 4);
  }

  /** A checkpoint ended, well or not. */
  void relieved() {
    requested = false;
  }

  /** Whether transactions must still wait. */
  boolean high() {
    return log.used() > room() || (privatePages && home.resident().count() > pageLimit);
  }

  /** How many private pages may stay after a checkpoint: half the budget. */
  long keepResident() {
    long pages = home.resident().count();
    return pages > pageLimit / 2 + pageLimit / 8 ? pageLimit / 2 : pages;
  }
}
