package io.everheap.testkit.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import io.everheap.testkit.CrashFigures;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs scenarios, with a mutant or without. Runs are concurrent, and each holds the read lock. A
 * scenario can be late because of the mutant, or only because of the load. So it is repeated under
 * the write lock, without any other run: only if it is late or fails then, too, has it noticed the
 * mutant.
 */
final class MutantRuns {
  private static final ReadWriteLock RUNS = new ReentrantReadWriteLock(true);

  private static final Duration BESIDE_OTHERS = Limit.of(Duration.ofMinutes(2));
  private static final Duration ALONE = Limit.of(Duration.ofMinutes(5));

  private MutantRuns() {}

  /** How a run of a scenario ended. */
  private enum End {
    PASSED,
    FAILED,

    /** It did not end, or failed so late that a wait within it may have reached its limit. */
    LATE
  }

  /** Runs a scenario without a mutant; throws what it throws. */
  static void runUnchanged(String scenario) throws Throwable {
    RUNS.readLock().lock();
    try {
      new MutantLoader(null).run(scenario);
    } finally {
      RUNS.readLock().unlock();
    }
  }

  /** Runs the scenarios of a mutant until one notices it; fails if none does. */
  static void requireNoticed(Mutant mutant) throws Exception {
    long start = System.nanoTime();
    String noticedBy = null;
    for (String scenario : mutant.scenarios()) {
      if (noticedBy == null) {
        noticedBy = noticedBy(mutant, scenario);
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    CrashFigures.addMutants("mutants", 1, noticedBy == null ? 0 : 1, seconds);
    assertThat(noticedBy)
        .as("the scenario that notices, of rule " + mutant.rule() + ": " + mutant)
        .isNotNull();
    System.out.printf(
        Locale.ROOT,
        "rule %s, %s: noticed by %s in %.1f s%n",
        mutant.rule(),
        mutant,
        noticedBy,
        seconds);
  }

  private static @Nullable String noticedBy(Mutant mutant, String scenario) throws Exception {
    End end = run(mutant, scenario, RUNS.readLock(), BESIDE_OTHERS);
    if (end != End.LATE) {
      return end == End.FAILED ? scenario : null;
    }
    End alone = run(mutant, scenario, RUNS.writeLock(), ALONE);
    System.out.printf(
        Locale.ROOT,
        "rule %s, %s: %s was late beside other runs; alone: %s%n",
        mutant.rule(),
        mutant,
        scenario,
        alone);
    return alone == End.PASSED ? null : scenario + " (also alone)";
  }

  private static End run(Mutant mutant, String scenario, Lock lock, Duration limit)
      throws Exception {
    lock.lock();
    try {
      return run(mutant, scenario, limit);
    } finally {
      lock.unlock();
    }
  }

  private static End run(Mutant mutant, String scenario, Duration limit) throws Exception {
    var loader = new MutantLoader(mutant);
    loader.loadClass(mutant.className()); // a mutant that does not apply is an error, not noticed
    Throwable[] failure = new Throwable[1];
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    loader.run(scenario);
                  } catch (Throwable t) {
                    failure[0] = t;
                  }
                });
    long start = System.nanoTime();
    if (!thread.join(limit)) {
      thread.interrupt(); // ends it if it waits; else it is abandoned
      return End.LATE;
    }
    if (failure[0] == null) {
      return End.PASSED;
    }
    return System.nanoTime() - start < Limit.limit().toNanos() ? End.FAILED : End.LATE;
  }
}
