package io.everheap.jcache.event;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other, in their order, in a thread that is there while there are any.
 */
final class SerialQueue {
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private boolean running;

  /** Adds a task, which must not throw. */
  void add(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    Thread.ofVirtual().name("everheap-jcache-events").start(this::run);
  }

  private void run() {
    for (Runnable task = next(); task != null; task = next()) {
      task.run();
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
