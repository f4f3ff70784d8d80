package io.everheap.testkit;

import io.everheap.support.Limit;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
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
          "load",
          "store",
          "force",
          "read",
          "write",
          "writeDurably",
          "sync",
          "truncate",
          "map",
          "create",
          "rename",
          "delete",
          "syncDirectory");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile @Nullable Thread first;
  private volatile @Nullable Thread second;
  private volatile boolean turnOfSecond;
  private volatile boolean stopped; // whether the second one is, at one of its own steps
  private volatile boolean begun;
  private boolean loads;
  private int start;
  private int stop;
  private int steps;
  private int stepsOfSecond;

  /**
   * Runs both actions.
   *
   * @param atLoads whether loads and reads of the first action are steps of it
   * @param at the step of the first action, from 1, at which the second one begins
   * @param other the second action
   * @param stopAt the step of the second action at which it is stopped, from 1; 0 for none
   * @return whether the first action has a step with this number; if not, the second action did not
   *     run
   */
  boolean run(Runnable action, boolean atLoads, int at, Runnable other, int stopAt)
      throws InterruptedException {
    Thread thread = Thread.ofPlatform().daemon().name("second").unstarted(() -> runSecond(other));
    loads = atLoads;
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

  /** The number of steps of the second action, of those at which it can be stopped. */
  int stepsOfSecond() {
    return stepsOfSecond;
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
      step(isLoad(call));
    }
  }

  @Override
  public void after(String call, String file, long position) {
    if (CALLS.contains(call)) {
      step(isLoad(call));
    }
  }

  private static boolean isLoad(String call) {
    return call.equals("load") || call.equals("read");
  }

  private void step(boolean load) {
    Thread one = first;
    Thread two = second;
    Thread self = Thread.currentThread();
    if (two != null && self.equals(one)) {
      stepOfFirst(self, two, load);
    } else if (one != null && self.equals(two)) {
      stepOfSecond(one, self, load);
    }
  }

  private void stepOfFirst(Thread self, Thread two, boolean load) {
    if ((loads || !load) && ++steps == start) {
      begun = true;
      turnOfSecond = true;
      two.start();
    }
    if (begun) {
      turnOfSecond = true;
      await("the second action waits or has ended", () -> stopped || isWaiting(two, self));
      turnOfSecond = false;
    }
  }

  private void stepOfSecond(Thread one, Thread self, boolean load) {
    if (!load && ++stepsOfSecond == stop) {
      stopped = true;
      await("the first action waits or has ended", () -> first == null || isWaiting(one, self));
      stopped = false;
    }
    await("its turn", () -> turnOfSecond || first == null || isWaiting(one, self));
  }

  /**
   * Whether a thread has ended, or waits for another one that stands still. A thread that was woken
   * but does not run yet seems to wait. So a parked thread is woken, and counts if it parks again;
   * a blocked one counts if the other thread has the monitor.
   */
  private static boolean isWaiting(Thread thread, Thread other) {
    return switch (thread.getState()) {
      case TERMINATED -> true;
      case NEW, RUNNABLE -> false;
      case BLOCKED -> {
        ThreadInfo info = THREADS.getThreadInfo(thread.threadId());
        yield info != null && info.getLockOwnerId() == other.threadId();
      }
      case WAITING, TIMED_WAITING -> LockSupport.getBlocker(thread) == null || parksAgain(thread);
    };
  }

  /**
   * Wakes a thread twice, since its wait that is seen may be counted late. It may have gone on to
   * wait in a monitor, such as for the end of the other thread, which nothing wakes.
   */
  private static boolean parksAgain(Thread thread) {
    boolean parked = true;
    for (int i = 0; i < 2 && parked; i++) {
      long before = waits(thread);
      LockSupport.unpark(thread);
      while (isParked(thread)
          && LockSupport.getBlocker(thread) != null
          && waits(thread) == before) {
        yieldToOther();
      }
      parked = isParked(thread);
    }
    return parked;
  }

  private static boolean isParked(Thread thread) {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING -> true;
      default -> false;
    };
  }

  /** How often a thread has waited; -1 if it has ended. */
  private static long waits(Thread thread) {
    ThreadInfo info = THREADS.getThreadInfo(thread.threadId());
    return info == null ? -1 : info.getWaitedCount();
  }

  private static void await(String what, BooleanSupplier condition) {
    Limit.spinUntil(
        what,
        () -> {
          boolean done = condition.getAsBoolean();
          if (!done) {
            yieldToOther();
          }
          return done;
        });
  }

  @SuppressWarnings("ThreadPriorityCheck") // a park would look like a wait for the other thread
  private static void yieldToOther() {
    Thread.yield();
  }
}
