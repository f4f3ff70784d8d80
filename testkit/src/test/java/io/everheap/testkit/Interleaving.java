package io.everheap.testkit;

import io.everheap.support.Limit;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one action at a step of another one. A step is the moment before or after a call of a file
 * or a change of a directory, and the moment before each load and store of a home image, as {@link
 * HookedMedium} sees them.
 *
 * <p>The first action runs in the calling thread. At the chosen step it stops, and the second
 * action runs in a thread until it ends, or until it waits for a lock that the first one holds.
 * Then the first action continues; it stops at each of its following steps for as long as the
 * second one can run. So one thread at a time calls the medium, and no timer decides which.
 *
 * <p>The second action may itself be stopped at one of its stores or file calls: then the first one
 * runs until it ends or waits for the second one.
 */
final class Interleaving implements HookedMedium.Hook {
  /** Calls that load or store something, or change or make durable what is stored. */
  private static final Set<String> CALLS =
      Set.of(
          "load", "store", "force", "read", "write", "writeDurably", "sync", "truncate", "map",
          "create", "rename", "delete", "syncDirectory");

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile @Nullable Thread first;
  private volatile @Nullable Thread second;
  private volatile boolean turnOfSecond;
  private volatile boolean stopped; // whether the second one is, at one of its own steps
  private volatile boolean begun;
  private int start;
  private int stop;
  private int steps;
  private int stepsOfSecond;

  /**
   * Runs both actions.
   *
   * @param at the step of the first action, from 1, at which the second one begins
   * @param other the second action
   * @param stopAt the step of the second action at which it is stopped, from 1; 0 for none
   * @return whether the first action has a step with this number; if not, the second action did not
   *     run
   */
  boolean run(Runnable action, int at, Runnable other, int stopAt) throws InterruptedException {
    Thread thread = Thread.ofPlatform().daemon().name("second").unstarted(() -> runSecond(other));
    start = at;
    stop = stopAt;
    steps = 0;
    stepsOfSecond = 0;
    begun = false;
    second = thread;
    first = Thread.currentThread();
    try {
      action.run();
    } finally {
      first = null;
      if (begun) {
        Limit.join(thread);
      }
      second = null;
    }
    Throwable thrown = failure.getAndSet(null);
    if (thrown != null) {
      throw new AssertionError("the second action failed: " + thrown, thrown);
    }
    return begun;
  }

  /** Whether the second action has begun since {@link #run} was called last. */
  boolean isBegun() {
    return begun;
  }

  private void runSecond(Runnable other) {
    try {
      other.run();
    } catch (RuntimeException | Error e) {
      failure.set(e);
    }
  }

  @Override
  public void before(String call, String file) {
    if (CALLS.contains(call)) {
      step(!call.equals("load") && !call.equals("read"));
    }
  }

  @Override
  public void after(String call, String file, long position) {
    if (CALLS.contains(call)) {
      step(true);
    }
  }

  private void step(boolean stops) {
    Thread one = first;
    Thread two = second;
    Thread self = Thread.currentThread();
    if (two != null && self.equals(one)) {
      stepOfFirst(two);
    } else if (self.equals(two)) {
      stepOfSecond(one, stops);
    }
  }

  private void stepOfFirst(Thread two) {
    steps++;
    if (steps == start) {
      begun = true;
      turnOfSecond = true;
      two.start();
    }
    if (begun) {
      turnOfSecond = true;
      await("the second action waits or has ended", () -> stopped || isWaiting(two));
      turnOfSecond = false;
    }
  }

  private void stepOfSecond(@Nullable Thread one, boolean stops) {
    if (stops && ++stepsOfSecond == stop) {
      stopped = true;
      await("the first action waits or has ended", () -> first == null || isWaiting(one));
      stopped = false;
    }
    await("its turn", () -> turnOfSecond || first == null || isWaiting(one));
  }

  /** Whether a thread waits for the other one, or has ended: it waits for nothing else. */
  private static boolean isWaiting(@Nullable Thread thread) {
    return thread == null
        || switch (thread.getState()) {
          case BLOCKED, WAITING, TIMED_WAITING, TERMINATED -> true;
          case NEW, RUNNABLE -> false;
        };
  }

  private static void await(String what, BooleanSupplier condition) {
    Limit.spinUntil(
        what,
        () -> {
          boolean done = condition.getAsBoolean();
          if (!done) {
            Thread.yield(); // the other thread may need this processor
          }
          return done;
        });
  }
}
