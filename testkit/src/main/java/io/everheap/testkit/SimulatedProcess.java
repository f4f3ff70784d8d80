package io.everheap.testkit;

/**
 * A process on a simulated machine: what it does from its start to its end, and at every moment,
 * what its successor may rely on if it is gone.
 */
interface SimulatedProcess {
  /**
   * Opens what is on the medium, checks that it is what the predecessor promised, goes on working,
   * and closes it.
   *
   * @throws Exception or an error, if something is not as it should be
   */
  void run(SimulatedMedium medium) throws Exception;

  /** What holds now. Called in the middle of {@link #run}, by any of its threads. */
  Promise promise();

  /** What a crash at one moment leaves behind, in the words of the application. */
  interface Promise {
    /**
     * The process that comes next.
     *
     * @param powerLost whether more was lost than the process
     * @param seed for what it does
     */
    SimulatedProcess successor(boolean powerLost, long seed);

    /** Equal for promises of one process that say the same. */
    default Object key() {
      return this;
    }
  }
}
