package io.everheap.benchmarks.cache;

import java.util.List;

/** Policies of one library, run on traces. Has a public constructor without parameters. */
public interface TracePolicies {
  /**
   * Returns the policies.
   *
   * @return their names in results
   */
  List<String> names();

  /**
   * Runs a policy on a trace.
   *
   * @param policy its name
   * @param trace the trace
   * @return the share of requests that are hits, in percent; NaN if the policy knows no weights
   */
  double hitPercent(String policy, Trace trace);
}
