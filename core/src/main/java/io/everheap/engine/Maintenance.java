package io.everheap.engine;

import io.everheap.memory.Threads;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that runs checkpoints when they are asked for. Asking is cheap and allocates
 * nothing, for commits do it while they hold the writer lock.
 */
final class Maintenance {
  private final Runnable work;
  private final Thread thread;
  private volatile boolean requested;
  private volatile boolean stopping;
  private volatile boolean started;
  private volatile @Nullable Throwable death;

  /**
   * A thread that is not started yet.
   *
   * @param first what it does before it waits for requests
   * @param work what a request asks for; handles its own failures
   */
  Maintenance(Runnable first, Runnable work) {
    this.work = work;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("everheap-checkpoint")
            .unstarted(
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

  /** Starts the thread, once everything that the work uses is there. */
  void start() {
    Threads.start(thread);
    started = true;
  }

  /** What the thread died from, or null; then nothing that is asked for happens. */
  @Nullable Throwable death() {
    boolean gone = started && !thread.isAlive();
    Throwable cause = death; // second: the thread says it before it ends
    return cause == null && gone && !stopping // last: the thread that stops it says so first
        ? new IllegalStateException("the thread of the checkpoints died and could not say why")
        : cause;
  }

  void request() {
    if (!requested) {
      requested = true;
      LockSupport.unpark(thread);
    }
  }

  /** Ends the thread after the work that it is doing. */
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
