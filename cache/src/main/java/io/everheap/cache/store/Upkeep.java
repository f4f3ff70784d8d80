package io.everheap.cache.store;

import io.everheap.memory.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of a cache: those that recover entries, which end with that, and one that makes
 * changes durable, ends entries whose time is over, and looks for forgotten pins.
 */
public final class Upkeep implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int MOST_SCANNERS = 4;
  private static final int EXPIRE_EVERY = 16;

  private final BlockStore store;
  private final Runnable lookForLeaks;
  private final long interval;
  private final List<Thread> scanners = new ArrayList<>();
  private final Thread timer;
  private volatile boolean stopped;

  /**
   * Prepares the threads.
   *
   * @param interval between two syncs, in nanoseconds
   * @param lookForLeaks is run at times
   */
  public Upkeep(BlockStore store, long interval, Runnable lookForLeaks) {
    this.store = store;
    this.interval = interval;
    this.lookForLeaks = lookForLeaks;
    int number = NUMBER.incrementAndGet();
    int count =
        Math.min(
            store.segments(), Math.min(MOST_SCANNERS, Runtime.getRuntime().availableProcessors()));
    for (int i = 0; i < count; i++) {
      scanners.add(Threads.daemon("everheap-cache-" + number + "-recovery-" + i, this::scan));
    }
    timer = Threads.daemon("everheap-cache-" + number + "-timer", this::time);
  }

  /** Starts the threads. */
  public void start() {
    store.watch();
    scanners.forEach(Thread::start);
    timer.start();
  }

  private void scan() {
    try {
      boolean more = true;
      while (more && !stopped) {
        more = store.scanNext();
      }
    } catch (RuntimeException | Error e) {
      if (!stopped) {
        LOG.log(System.Logger.Level.WARNING, "the recovery of a cache's entries failed", e);
      }
    }
  }

  private void time() {
    boolean failed = false;
    for (int round = 1; !stopped; round++) {
      try {
        long due = System.nanoTime() + interval;
        for (long left = interval; left > 0 && !stopped; left = due - System.nanoTime()) {
          LockSupport.parkNanos(this, left);
        }
        if (!stopped) {
          store.sync();
          lookForLeaks.run();
        }
        if (!stopped && round % EXPIRE_EVERY == 0) {
          store.expire();
        }
        failed = false;
      } catch (RuntimeException | Error e) {
        if (!stopped && !failed) {
          try {
            LOG.log(System.Logger.Level.WARNING, "the upkeep of a cache failed", e);
          } catch (Error again) {
            continue; // there is no memory to tell of it
          }
        }
        failed = true; // one failure is one message
        if (!store.isUsable()) {
          return;
        }
      }
    }
  }

  /** Ends the threads and waits for them. */
  @Override
  public void close() {
    stopped = true;
    store.stopRecovery();
    LockSupport.unpark(timer);
    scanners.forEach(Threads::join);
    Threads.join(timer);
  }
}
