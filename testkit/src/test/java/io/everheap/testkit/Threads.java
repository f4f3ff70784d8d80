package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Other threads, which a scenario runs, or stops where they wait. */
public final class Threads {
  private Threads() {}

  /** Runs an action in a new thread. */
  public static CompletableFuture<Void> start(Runnable action) {
    return CompletableFuture.runAsync(action, task -> Thread.ofPlatform().daemon().start(task));
  }

  /** Runs an action in a new thread and waits for its end; throws if it fails. */
  static void run(Runnable action) {
    assertThat(start(action)).succeedsWithin(Limit.limit());
  }

  /**
   * Whether a thread is parked in an object.
   *
   * @param type simple name of the object's class
   */
  static boolean isWaiting(Thread thread, String type) {
    Object blocker = LockSupport.getBlocker(thread);
    return blocker != null && blocker.getClass().getSimpleName().equals(type);
  }

  /** Returns when a thread is parked in an object of one of these classes, or has ended. */
  public static void awaitWaiting(Thread thread, String... types) {
    Limit.spinUntil(
        thread.getName() + " waits or has ended",
        () -> !thread.isAlive() || Stream.of(types).anyMatch(type -> isWaiting(thread, type)));
  }
}
