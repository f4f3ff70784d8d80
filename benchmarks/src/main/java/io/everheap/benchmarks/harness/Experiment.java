package io.everheap.benchmarks.harness;

import io.everheap.benchmarks.result.Target;
import java.util.List;

/** A set of cases that are measured together, in one run. */
public interface Experiment {
  /**
   * Returns the name, as given on the command line.
   *
   * @return one word
   */
  String name();

  /**
   * Says what is measured.
   *
   * @return one sentence
   */
  String description();

  /**
   * Returns what its rows are expected to reach.
   *
   * @return the targets
   */
  List<Target> targets();

  /**
   * Returns its groups of cases, which are measured one after the other.
   *
   * @return the parts
   */
  List<Part> parts();
}
