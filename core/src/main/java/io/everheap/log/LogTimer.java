package io.everheap.log;

import io.everheap.memory.Threads;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that runs a task in each interval, and at once when asked: it makes the log
 * durable, as any waiting committer does, or segments ahead. Its death is reported to the owner; if
 * the report fails as well, since the Java heap is exhausted, {@link #death} tells it. Thread-safe.
 *
 * <p>A thread that the operating system refuses to start leaves the timer as it was: the caller
 * gets an exception, and the next request tries again.
 */
public final class LogTimer implements Runnable {
  private static final long NONE = Long.MIN_VALUE;

  private final Runnable task;
  private final long interval;
  private final Consumer<Throwable> onDeath;
  private final Thread thread;
  private volatile boolean requested;
  private volatile long deadline = NONE; // of a sync that was asked for, in nanoTime
  private volatile boolean stopped;
  private volatile @Nullable Throwable death;

  /**
   * Creates the timer; its thread does not run yet.
   *
   * @param task to run; for the log's own timer, makes everything appended so far durable
   * @param interval between two runs in nanoseconds, or 0 for none but those that are asked for
   * @param name of the thread, behind "everheap-log-"
   * @param onDeath is told what the thread dies from
   */
  public LogTimer(Runnable task, long interval, String name, Consumer<Throwable> onDeath) {
    this(
        task,
        interval,
        onDeath,
        Thread.ofPlatform().daemon().name("everheap-log-" + name)::unstarted);
  }

  /** The same with a thread of the caller's. */
  @SuppressWarnings("ThisEscapedInObjectConstruction") // the thread is not started here
  LogTimer(Runnable task, long interval, Consumer<Throwable> onDeath, ThreadFactory threads) {
    this.task = task;
    this.onDeath = onDeath;
    this.interval = interval;
    this.thread = threads.newThread(this);
  }

  /**
   * Starts the thread unless it runs.
   *
   * @throws io.everheap.error.MediumException if the operating system has no thread to give
   */
  public synchronized void start() {
    if (!stopped && thread.getState() == Thread.State.NEW) {
      Threads.start(thread);
    }
  }

  /** Lets it run the task soon; throws what {@link #start} does. */
  public void request() {
    if (!requested) {
      start();
      requested = true;
      LockSupport.unpark(thread);
    }
  }

  /** Lets it run the task within a time; throws what {@link #start} does. */
  public synchronized void requestWithin(long nanos) {
    long wanted = System.nanoTime() + nanos;
    long pending = deadline;
    if (pending == NONE || wanted - pending < 0) {
      start();
      deadline = wanted == NONE ? wanted + 1 : wanted;
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
        task.run();
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
      stopped = true; // under the monitor: from here on the thread is not started
    }
    LockSupport.unpark(thread);
    Threads.join(thread);
  }
}
