package io.everheap.engine;

import io.everheap.engine.event.EngineLogger;
import io.everheap.error.CorruptException;
import io.everheap.error.LockTimeoutException;
import io.everheap.memory.Threads;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Runs background tasks, each some short transactions, in one daemon thread that is started with
 * the first task. A task whose transaction times out waiting for the writer lock runs again later.
 * A task that fails otherwise is dropped with a log message: the next opening finds the pending
 * frees again. Thread-safe; its monitor guards all fields.
 */
final class Housekeeper {

  /** First pause before a task runs again after a timeout; doubled each time, up to the maximum. */
  private static final long FIRST_PAUSE_MILLIS = 1;

  private static final long MAX_PAUSE_MILLIS = 1000;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final boolean inline;
  private @Nullable Thread thread;
  private boolean stopping;
  private boolean working;

  /**
   * Creates a housekeeper without tasks.
   *
   * @param automatic whether a thread runs the tasks; if not, {@link #drain} runs them
   */
  Housekeeper(boolean automatic) {
    this.inline = !automatic;
  }

  /** Adds a task. */
  synchronized void submit(Runnable task) {
    if (stopping) {
      return;
    }
    if (!inline && thread == null) {
      Thread worker = Threads.daemon("everheap-housekeeper", this::work);
      Threads.start(worker); // before the task is there, which nothing would run if this fails
      thread = worker;
    }
    tasks.add(task);
    notifyAll();
  }

  /** Returns when no task is left: runs them in this thread, or waits for the daemon thread. */
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

  /** Drops the queued tasks and waits for the running one. */
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
            // interrupts have no meaning for this thread
          }
        }
        if (stopping) {
          return;
        }
        task = tasks.remove();
        working = true;
      }
      try {
        run(task);
      } catch (RuntimeException | Error _) {
        // An error of the virtual machine, also in the message: the task is dropped.
      }
    }
  }

  /** Runs a task, again after each timeout, until it ends or the heap is being closed. */
  private void run(Runnable task) {
    long pause = FIRST_PAUSE_MILLIS;
    while (!tryRun(task) && !stopping()) {
      pause(pause);
      pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
    }
  }

  /** Runs a task; false if it timed out waiting for the writer lock. */
  private static boolean tryRun(Runnable task) {
    try {
      task.run();
    } catch (LockTimeoutException e) {
      EngineLogger.get().log(System.Logger.Level.DEBUG, "a background task waits for its turn", e);
      return false;
    } catch (CorruptException e) {
      EngineLogger.get()
          .log(System.Logger.Level.WARNING, "a background task gave up: {0}", e.getMessage());
    } catch (RuntimeException | Error e) {
      EngineLogger.get().log(System.Logger.Level.DEBUG, "a background task ended early", e);
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
        // interrupts have no meaning for this thread
      }
      left = (end - System.nanoTime()) / 1_000_000;
    }
  }
}
