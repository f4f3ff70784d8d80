package io.everheap.log;

import io.everheap.memory.Threads;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that runs a task in each interval and on request: the task makes the log durable,
 * as any waiting committer does, or creates segments ahead. If the task throws, the thread ends and
 * reports the failure to the owner; if the report fails as well, because the Java heap is
 * exhausted, {@link #death} returns the failure. Thread-safe.
 *
 * <p>If the operating system refuses to start the thread, the caller gets an exception, and the
 * next request tries again.
 */
public final class LogTimer implements Runnable {
  private static final long NONE = Long.MIN_VALUE;

  private final Runnable task;
  private final long interval;
  private final Consumer<Throwable> onDeath;
  private final Thread thread;
  private volatile boolean requested;
  private volatile long deadline = NONE; // of a requested run, as a value of System.nanoTime
  private volatile boolean stopped;
  private volatile @Nullable Throwable death;

  /**
   * Creates the timer without starting its thread.
   *
   * @param task to run
   * @param interval between two runs in nanoseconds, or 0 for runs on request only
   * @param name of the thread, behind "everheap-log-"
   * @param onDeath receives the failure that ended the thread
   */
  public LogTimer(Runnable task, long interval, String name, Consumer<Throwable> onDeath) {
    this(task, interval, onDeath, timer -> Threads.daemon("everheap-log-" + name, timer));
  }

  /** Creates the timer with a thread of the given factory. */
  @SuppressWarnings("ThisEscapedInObjectConstruction") // the thread is not started here
  LogTimer(Runnable task, long interval, Consumer<Throwable> onDeath, ThreadFactory threads) {
    this.task = task;
    this.onDeath = onDeath;
    this.interval = interval;
    this.thread = threads.newThread(this);
  }

  /**
   * Starts the thread, unless it was started before.
   *
   * @throws io.everheap.error.MediumException if the operating system cannot create a thread
   */
  public synchronized void start() {
    if (!stopped && thread.getState() == Thread.State.NEW) {
      Threads.start(thread);
    }
  }

  /** Requests a run soon; starts the thread first, with the exceptions of {@link #start}. */
  public void request() {
    if (!requested) {
      start();
      requested = true;
      LockSupport.unpark(thread);
    }
  }

  /** Wakes the thread again for a request: an error of the virtual machine may have lost that. */
  public void recheck() {
    if (requested || deadline != NONE) {
      LockSupport.unpark(thread);
    }
  }

  /** Requests a run within a time in nanoseconds; with the exceptions of {@link #start}. */
  public synchronized void requestWithin(long nanos) {
    long wanted = System.nanoTime() + nanos;
    long pending = deadline;
    if (pending == NONE || wanted - pending < 0) {
      start();
      deadline = wanted == NONE ? wanted + 1 : wanted;
      LockSupport.unpark(thread);
    }
  }

  /** Whether the run requested by {@link #requestWithin} is late by more than {@code nanos}. */
  public boolean late(long nanos) {
    long due = deadline;
    return due != NONE && System.nanoTime() - due > nanos;
  }

  /** The failure that ended the thread, or null. */
  public @Nullable Throwable death() {
    return death;
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        pause();
        requested = false;
        deadline = NONE; // before the run: a later request may need another run
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

  /** Ends the thread and waits for it, and so for a running task. */
  public void stop() {
    synchronized (this) {
      stopped = true; // under the monitor, so that the thread is not started any more
    }
    LockSupport.unpark(thread);
    Threads.join(thread);
  }
}
