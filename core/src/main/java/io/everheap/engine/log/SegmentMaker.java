package io.everheap.engine.log;

import java.util.concurrent.locks.LockSupport;

/**
 * The thread that makes segments before they are needed. It gives up silently when the disk is
 * full: whoever then needs a segment tries again and gets the exception.
 */
final class SegmentMaker implements Runnable {
  private final SegmentPool pool;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile boolean wanted = true;
  private boolean started;

  SegmentMaker(SegmentPool pool, String location) {
    this.pool = pool;
    this.thread =
        Thread.ofPlatform().daemon().name("everheap-log-segments " + location).unstarted(this);
  }

  void start() {
    started = true;
    thread.start();
  }

  /** Lets it look whether a segment is missing. */
  void wake() {
    if (!wanted) {
      wanted = true;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void run() {
    while (!stopped) {
      if (wanted) {
        wanted = false;
        makeAll();
      } else {
        LockSupport.park(this);
      }
    }
  }

  private void makeAll() {
    try {
      while (!stopped && pool.wantsMore()) {
        pool.addAhead();
      }
    } catch (RuntimeException e) {
      System.getLogger(SegmentMaker.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot make a log segment ahead", e);
    }
  }

  /** Ends the thread and waits for it. */
  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
    if (!started) {
      return;
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
