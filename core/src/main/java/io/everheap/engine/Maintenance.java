package io.everheap.engine;

import io.everheap.memory.Threads;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that runs checkpoints on request. A request is cheap and allocates nothing,
 * because commits make it while they hold the writer lock. Thread-safe.
 */
final class Maintenance {
  private final Runnable work;
  private final Thread thread;
  private volatile boolean requested;
  private volatile boolean stopping;
  private volatile boolean started;
  private volatile @Nullable Throwable death;

  /**
   * Creates the thread without starting it.
   *
   * @param first runs before the thread waits for requests
   * @param work runs for each request; handles its own failures
   */
  Maintenance(Runnable first, Runnable work) {
    this.work = work;
    this.thread =
        Threads.daemon(
            "everheap-checkpoint",
            () -> {
              try {
                first.run();
                loop();
              } catch (Throwable t) {
                death = t;
                throw t;
              }
            });
  }

  /** Starts the thread; called when everything that the work uses is initialized. */
  void start() {
    Threads.start(thread);
    started = true;
  }

  /** The error that ended the thread, or null. After it, requests have no effect. */
  @Nullable Throwable death() {
    boolean gone = started && !thread.isAlive();
    Throwable cause = death; // read second: the thread stores it before it ends
    return cause == null && gone && !stopping // read last: stop() stores it before the thread ends
        ? new IllegalStateException("the checkpoint thread ended for an unknown reason")
        : cause;
  }

  void request() {
    if (!requested) {
      requested = true;
      LockSupport.unpark(thread);
    }
  }

  /** Ends the thread; waits for the work that it is doing. */
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
    Threads.join(thread);
  }

  private void loop() {
    while (!stopping) {
      if (requested) {
        requested = false;
        work.run();
      } else {
        LockSupport.park(this);
      }
    }
  }
}
