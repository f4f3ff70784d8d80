package io.everheap.testkit;

import io.everheap.testkit.machine.SimulatedMedium;
import org.jspecify.annotations.Nullable;

/**
 * A process on a simulated machine: what it does from its start to its end, and at every moment,
 * what its successor may rely on if it is gone.
 */
interface SimulatedProcess {
  /**
   * Opens what is on the medium, checks that it is what the predecessor promised, continues its
   * work, and closes it.
   *
   * @throws Exception or an error, if something is not as it should be
   */
  void run(SimulatedMedium medium) throws Exception;

  /** The promise as of now. Called during {@link #run}, by any of its threads. */
  Promise promise();

  /**
   * The part of {@link #run} that the process is in, of which moments are chosen separately; null
   * while it is not to be crashed. Called by any of its threads.
   */
  default @Nullable String phase() {
    return "";
  }

  /** What the successor may rely on after a crash at one moment, in terms of the application. */
  interface Promise {
    /**
     * Returns the next process.
     *
     * @param powerLost whether the power was lost; else the process was killed
     * @param seed for its choices
     */
    SimulatedProcess successor(boolean powerLost, long seed);

    /** A key that is equal for promises of one process that are the same. */
    default Object key() {
      return this;
    }
  }
}
