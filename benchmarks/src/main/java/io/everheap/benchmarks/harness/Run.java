package io.everheap.benchmarks.harness;

import io.everheap.benchmarks.result.Samples;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A run of an experiment.
 *
 * @param settings what the user asked for
 * @param disk a temporary directory on a disk
 * @param memory a temporary directory in memory
 * @param logs a directory for the output of child processes
 * @param samples takes the values
 * @param progress informs the user
 * @param keeper writes what was measured so far
 */
public record Run(
    Settings settings,
    Path disk,
    Path memory,
    Path logs,
    Samples samples,
    Progress progress,
    Keeper keeper) {
  private static final int LEAST_ROUNDS = 3;
  private static final double QUICK_SECONDS = 120;

  /**
   * Tells whether to measure a round. A quick run that is late leaves rounds out, but not all.
   *
   * @param part whose round it is
   * @param round its number, from 1
   * @param share of a quick run's time by which the part should be over
   * @return whether to go on
   */
  public boolean goesOn(Part part, int round, double share) {
    if (round > settings.rounds()) {
      return false;
    }
    if (settings.quick() && round > LEAST_ROUNDS && progress.seconds() > share * QUICK_SECONDS) {
      samples.notRun(
          "some rounds of " + part.name(), "a quick run would take longer than two minutes");
      return false;
    }
    return true;
  }

  /**
   * Tells whether the part that is being measured has time left; if not, notes what it leaves out.
   *
   * @param what it would do next
   * @return whether to do that
   */
  public boolean hasTimeFor(String what) {
    if (progress.left() > 0) {
      return true;
    }
    samples.notRun(what, "the part took as long as it may; --minutes gives it more");
    return false;
  }

  /** Writes results before a run is over, so that a long one that is cut short leaves some. */
  @FunctionalInterface
  public interface Keeper {
    /**
     * Writes them.
     *
     * @param run whose
     * @throws IOException if that fails
     */
    void keep(Run run) throws IOException;
  }

  /**
   * Writes what was measured so far.
   *
   * @throws IOException if that fails
   */
  public void keep() throws IOException {
    keeper.keep(this);
  }

  /**
   * Returns how JMH runs in this run.
   *
   * @return the runner
   */
  public Jmh jmh() {
    return settings.quick() ? new Jmh(2, 200, logs) : new Jmh(4, 1000, logs);
  }
}
