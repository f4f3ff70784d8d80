package io.everheap.engine;

import io.everheap.error.CorruptHeapException;
import io.everheap.error.LockTimeoutException;
import io.everheap.memory.Threads;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Runs small tasks, each some short transactions, in one daemon thread that is started with the
 * first task. A task that did not get its turn among the writers in time is tried again later. One
 * that fails otherwise is dropped with a log line: what it frees is found again at the next
 * opening.
 */
final class Housekeeper {

  /** Before a task that did not get its turn is tried again: doubled each time, up to the most. */
  private static final long FIRST_PAUSE_MILLIS = 1;

  private static final long MOST_PAUSE_MILLIS = 1000;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final boolean inline;
  private @Nullable Thread thread;
  private boolean stopping;
  private boolean working;

  /**
   * A housekeeper without work.
   *
   * @param automatic false: tasks wait for {@link #drain}
   */
  Housekeeper(boolean automatic) {
    this.inline = !automatic;
  }

  /** Adds a task. */
  synchronized void submit(Runnable task) {
    if (stopping) {
      return;
    }
    tasks.add(task);
    if (inline) {
      return;
    }
    if (thread == null) {
      Thread worker =
          Thread.ofPlatform().daemon().name("everheap-housekeeper").unstarted(this::work);
      Threads.start(worker);
      thread = worker;
    }
    notifyAll();
  }

  /** Returns when no task is left: runs them here, or waits for the thread that does. */
  void drain() {
    if (inline) {
      for (Runnable task = poll(); task != null; task = poll()) {
        run(task);
      }
      return;
    }
    boolean interrupted = false;
    synchronized (this) {
      while (!tasks.isEmpty() || working) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Drops what has not begun and waits for the task that runs. */
  void stop() {
    Thread waitFor;
    synchronized (this) {
      stopping = true;
      tasks.clear();
      notifyAll();
      waitFor = thread;
    }
    if (waitFor != null) {
      Threads.join(waitFor);
    }
  }

  /** Whether a task should end early because the heap is being closed. */
  synchronized boolean stopping() {
    return stopping;
  }

  private synchronized @Nullable Runnable poll() {
    return tasks.poll();
  }

  private void work() {
    while (true) {
      Runnable task;
      synchronized (this) {
        working = false;
        notifyAll();
        while (tasks.isEmpty() && !stopping) {
          try {
            wait();
          } catch (InterruptedException e) {
            // an interrupt means nothing to this thread
          }
        }
        if (stopping) {
          return;
        }
        task = tasks.remove();
        working = true;
      }
      run(task);
    }
  }

  /** Runs a task until it had its turn, or the heap is being closed. */
  private void run(Runnable task) {
    long pause = FIRST_PAUSE_MILLIS;
    while (!tryRun(task) && !stopping()) {
      pause(pause);
      pause = Math.min(2 * pause, MOST_PAUSE_MILLIS);
    }
  }

  /** False if the task did not get its turn. */
  private static boolean tryRun(Runnable task) {
    try {
      task.run();
    } catch (LockTimeoutException e) {
      System.getLogger("io.everheap")
          .log(System.Logger.Level.DEBUG, "a background task waits for its turn", e);
      return false;
    } catch (CorruptHeapException e) {
      System.getLogger("io.everheap")
          .log(System.Logger.Level.WARNING, "a background task gave up: {0}", e.getMessage());
    } catch (RuntimeException | Error e) {
      System.getLogger("io.everheap")
          .log(System.Logger.Level.DEBUG, "a background task ended early", e);
    }
    return true;
  }

  private synchronized void pause(long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    long left = millis;
    while (left > 0 && !stopping) {
      try {
        wait(left);
      } catch (InterruptedException e) {
        // an interrupt means nothing to this thread
      }
      left = (end - System.nanoTime()) / 1_000_000;
    }
  }
}
