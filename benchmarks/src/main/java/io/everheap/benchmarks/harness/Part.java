package io.everheap.benchmarks.harness;

/** Cases of an experiment that are measured in turns, so that a disturbance affects all of them. */
public interface Part {
  /**
   * Returns a short name for messages.
   *
   * @return the name
   */
  String name();

  /**
   * Tells how many steps the progress line will show.
   *
   * @param run the run
   * @return a number; 0 if none of its cases was asked for
   */
  int steps(Run run);

  /**
   * Measures its cases.
   *
   * @param run where to, and how
   * @throws Exception if it fails; what was measured until then counts
   */
  void measure(Run run) throws Exception;
}
