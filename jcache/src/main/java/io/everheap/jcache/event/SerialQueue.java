package io.everheap.jcache.event;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other, in their order, in a thread that is there while there are any.
 */
final class SerialQueue {
  private static final System.Logger LOG = System.getLogger(SerialQueue.class.getName());

  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final ThreadFactory threads;
  private boolean running;

  /** A queue whose threads inherit nothing from those that add tasks. */
  SerialQueue() {
    this(SerialQueue::unstarted);
  }

  /** A queue with threads of a factory, which are started. */
  SerialQueue(ThreadFactory threads) {
    this.threads = threads;
  }

  private static Thread unstarted(Runnable task) {
    Thread thread =
        Thread.ofVirtual()
            .name("everheap-jcache-events")
            .inheritInheritableThreadLocals(false)
            .unstarted(task);
    thread.setContextClassLoader(SerialQueue.class.getClassLoader());
    return thread;
  }

  /** Adds a task. If no thread can be started, it stays, and runs before the next one. */
  void add(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    try {
      threads.newThread(this::run).start();
    } catch (RuntimeException | Error e) {
      synchronized (tasks) {
        running = false;
      }
      throw e;
    }
  }

  private void run() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException | Error e) { // the others must get theirs
        tryToWarn(e);
      }
    }
  }

  private static void tryToWarn(Throwable cause) {
    try {
      LOG.log(System.Logger.Level.WARNING, "an event of a cache was not delivered", cause);
    } catch (RuntimeException | Error e) {
      // it has no memory, or the logger is what failed
    }
  }

  private @Nullable Runnable next() {
    synchronized (tasks) {
      Runnable task = tasks.poll();
      running = task != null;
      return task;
    }
  }
}
