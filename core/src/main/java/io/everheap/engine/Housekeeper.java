package io.everheap.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Runs small tasks, each some short transactions, in one daemon thread that is started with the
 * first task. A task that fails is dropped with a log line: what it frees is found again at the
 * next opening.
 */
final class Housekeeper {
  private static final System.Logger LOGGER = System.getLogger("io.everheap");

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
      thread = Thread.ofPlatform().daemon().name("everheap-housekeeper").start(this::work);
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
    if (waitFor != null && !waitFor.equals(Thread.currentThread())) {
      Uninterruptibly.join(waitFor);
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
            // nobody interrupts this thread for a reason that matters
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

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOGGER.log(System.Logger.Level.DEBUG, "a background task ended early", e);
    }
  }
}
