package io.everheap.support;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Guards tests against hanging. A limit is never an assertion about speed: it is at least 60 s, and
 * a machine that is slower still multiplies all limits with {@code -Deverheap.patience=N}.
 */
public final class Limit {
  private static final Duration MIN = Duration.ofSeconds(60);
  private static final long PATIENCE = Long.getLong("everheap.patience", 1);
  private static final long PAUSE_NANOS = 2_000_000;

  private Limit() {}

  /**
   * Returns the limit for one step that takes seconds at most on an idle machine.
   *
   * @return 60 s, multiplied by the patience
   */
  public static Duration limit() {
    return of(MIN);
  }

  /**
   * Returns the limit for a longer step.
   *
   * @param limit how long the step may take; less than 60 s counts as 60 s
   * @return the limit, multiplied by the patience
   */
  public static Duration of(Duration limit) {
    return (limit.compareTo(MIN) < 0 ? MIN : limit).multipliedBy(PATIENCE);
  }

  /**
   * Returns {@link #limit()} in seconds.
   *
   * @return seconds
   */
  public static long seconds() {
    return limit().toSeconds();
  }

  /**
   * Waits until a latch is open; fails the test if that takes longer than the limit.
   *
   * @param latch the latch
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(seconds(), TimeUnit.SECONDS)) {
      fail("the latch was not opened within " + limit());
    }
  }

  /**
   * Waits for the result of a future; fails the test if that takes longer than the limit.
   *
   * @param <T> the type of the result
   * @param future the future
   * @return the result
   * @throws InterruptedException if the waiting thread is interrupted
   * @throws ExecutionException if the future failed
   */
  public static <T> T get(Future<T> future) throws InterruptedException, ExecutionException {
    try {
      return future.get(seconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return fail("the future was not done within " + limit(), e);
    }
  }

  /**
   * Waits until a thread has ended; fails the test, with the thread's stack, if that takes longer
   * than the limit.
   *
   * @param thread the thread
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public static void join(Thread thread) throws InterruptedException {
    if (!thread.join(limit())) {
      var failure = new AssertionError(thread.getName() + " did not end within " + limit());
      failure.setStackTrace(thread.getStackTrace());
      throw failure;
    }
  }

  /**
   * Waits until a process has ended; kills it and fails the test if that takes longer than the
   * limit.
   *
   * @param process the process
   * @return its exit value
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public static int waitFor(Process process) throws InterruptedException {
    if (!process.waitFor(seconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      fail("process " + process.pid() + " did not end within " + limit());
    }
    return process.exitValue();
  }

  /**
   * Kills a process that runs longer than a limit. Reads of its output end then: an interrupt, as
   * of the limit of a test, does not end them.
   *
   * @param process the process
   * @param limit how long it may run; less than 60 s counts as 60 s
   */
  public static void guard(Process process, Duration limit) {
    CompletableFuture.delayedExecutor(of(limit).toSeconds(), TimeUnit.SECONDS)
        .execute(process::destroyForcibly);
  }

  /**
   * Waits until a condition holds, which is evaluated again and again; fails the test if that takes
   * longer than the limit.
   *
   * @param what the condition in words, for the message
   * @param condition the condition
   */
  public static void until(String what, BooleanSupplier condition) {
    until(limit(), what, condition);
  }

  /**
   * Like {@link #until(String, BooleanSupplier)}, for a longer step.
   *
   * @param limit as {@link #of} returns it
   * @param what the condition in words, for the message
   * @param condition the condition
   */
  public static void until(Duration limit, String what, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      requireBefore(end, limit, what);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Like {@link #until(String, BooleanSupplier)}, for a condition that may throw a checked
   * exception.
   *
   * @param what the condition in words, for the message
   * @param condition the condition
   * @throws Exception if the condition throws it
   */
  public static void untilTrue(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + limit().toNanos();
    while (!condition.call()) {
      requireBefore(end, limit(), what);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Like {@link #until(String, BooleanSupplier)}, but evaluates the condition without pauses: for
   * conditions that hold within microseconds, and are awaited thousands of times.
   *
   * @param what the condition in words, for the message
   * @param condition the condition
   */
  public static void spinUntil(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + limit().toNanos();
    while (!condition.getAsBoolean()) {
      requireBefore(end, limit(), what);
      Thread.onSpinWait();
    }
  }

  private static void requireBefore(long end, Duration limit, String what) {
    if (System.nanoTime() - end > 0) {
      fail("not within " + limit + ": " + what);
    }
  }
}
