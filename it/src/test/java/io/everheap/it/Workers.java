package io.everheap.it;

import static org.junit.jupiter.api.Assertions.fail;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.support.Limit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for processes that a test kills. */
public final class Workers {
  private static final Duration LIMIT = Limit.of(Duration.ofMinutes(5));
  private static final long PAUSE_NANOS = 1_000_000;

  private Workers() {}

  /**
   * Waits until processes have done something; fails if one of them ends before.
   *
   * @param what the condition in words, for the message
   * @param condition becomes true by reports of the processes
   * @param seed of the test, for the message
   * @param workers the processes
   */
  public static void await(
      String what, BooleanSupplier condition, long seed, WorkerProcess... workers) {
    List<WorkerProcess> all = List.of(workers);
    Limit.until(
        LIMIT,
        what + ", seed " + seed,
        () -> {
          all.forEach(worker -> requireAlive(worker, seed));
          return condition.getAsBoolean();
        });
  }

  /**
   * Lets a process work for a time, which is chosen at random by the test; fails if it ends before.
   *
   * @param worker the process
   * @param millis how long
   * @param seed of the test, for the message
   */
  public static void letWork(WorkerProcess worker, int millis, long seed) {
    long end = System.nanoTime() + millis * 1_000_000L;
    do {
      requireAlive(worker, seed);
      LockSupport.parkNanos(PAUSE_NANOS);
    } while (System.nanoTime() - end < 0);
  }

  private static void requireAlive(WorkerProcess worker, long seed) {
    if (!worker.isAlive()) {
      try {
        fail("the worker ended by itself, seed " + seed + ": " + worker.describeEnd());
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
