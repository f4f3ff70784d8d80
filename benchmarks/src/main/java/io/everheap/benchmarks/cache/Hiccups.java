package io.everheap.benchmarks.cache;

import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long this process is not run at all, or stands still: a thread that wakes up each
 * millisecond notes how much too late it was at most. What a cache makes others wait is not in it.
 */
final class Hiccups implements AutoCloseable {
  private static final long INTERVAL_NANOS = 1_000_000;

  private final Thread thread = Thread.ofPlatform().daemon().name("hiccups").unstarted(this::run);
  private volatile boolean closed;
  private volatile long longest;

  Hiccups() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      long start = System.nanoTime();
      LockSupport.parkNanos(INTERVAL_NANOS);
      longest = Math.max(longest, System.nanoTime() - start - INTERVAL_NANOS);
    }
  }

  double millis() {
    return longest / 1e6;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
