package io.everheap.log;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that makes the log durable in each interval, and at once when asked. It does what any
 * waiting committer does. Its death poisons the log; if it cannot even tell, since the Java heap is
 * exhausted, those find out that ask {@link #death}.
 */
public final class LogTimer implements Runnable {
  private static final long NONE = Long.MIN_VALUE;

  private final Runnable sync;
  private final long interval;
  private final Consumer<Throwable> onDeath;
  private final Thread thread;
  private volatile boolean requested;
  private volatile long deadline = NONE; // of a sync that was asked for, in nanoTime
  private volatile boolean stopped;
  private volatile @Nullable Throwable death;
  private boolean started;

  /**
   * Creates the timer; its thread does not run yet.
   *
   * @param sync makes everything appended so far durable
   * @param interval between two syncs in nanoseconds, or 0 for none but those that are asked for
   * @param name of the thread, behind "everheap-log-"
   * @param onDeath is told what the thread dies from
   */
  public LogTimer(Runnable sync, long interval, String name, Consumer<Throwable> onDeath) {
    this.sync = sync;
    this.onDeath = onDeath;
    this.interval = interval;
    this.thread = Thread.ofPlatform().daemon().name("everheap-log-" + name).unstarted(this);
  }

  /** Starts the thread unless it runs. */
  public synchronized void start() {
    if (!started && !stopped) {
      started = true;
      thread.start();
    }
  }

  /** Lets it sync soon. */
  public void request() {
    if (!requested) {
      requested = true;
      start();
      LockSupport.unpark(thread);
    }
  }

  /** Lets it sync within a time. */
  public synchronized void requestWithin(long nanos) {
    long wanted = System.nanoTime() + nanos;
    long pending = deadline;
    if (pending == NONE || wanted - pending < 0) {
      deadline = wanted == NONE ? wanted + 1 : wanted;
      start();
      LockSupport.unpark(thread);
    }
  }

  /** Whether a sync that was asked for within a time is late by more than {@code nanos}. */
  public boolean late(long nanos) {
    long due = deadline;
    return due != NONE && System.nanoTime() - due > nanos;
  }

  /** What the thread died from, or null. */
  public @Nullable Throwable death() {
    return death;
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        pause();
        requested = false;
        deadline = NONE; // before the sync: what is asked for from here on may need another one
        sync.run();
      }
    } catch (Throwable t) {
      if (!stopped) {
        death = t;
        onDeath.accept(t);
      }
    }
  }

  private void pause() {
    long start = System.nanoTime();
    while (!requested && !stopped) {
      long due = deadline;
      if (interval == 0 && due == NONE) {
        LockSupport.park(this);
        continue;
      }
      long now = System.nanoTime();
      long left = interval == 0 ? Long.MAX_VALUE : interval - (now - start);
      if (due != NONE) {
        left = Math.min(left, due - now);
      }
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(this, left);
    }
  }

  /** Ends the thread and waits for it, after the sync in flight if there is one. */
  public void stop() {
    synchronized (this) {
      stopped = true;
      if (!started) {
        return;
      }
    }
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
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
