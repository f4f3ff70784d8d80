package io.everheap.report;

import io.everheap.stability.Evolving;

/**
 * Receives the progress of a check or a salvage. Called often, by the thread that runs it.
 *
 * @since 0.9
 */
@FunctionalInterface
@Evolving
public interface VerifyProgress {
  /** Ignores the progress. */
  VerifyProgress NONE = (what, part) -> {};

  /**
   * Reports progress.
   *
   * @param what is being checked, as text for people
   * @param part the share that is done, from 0 to 1; an estimate, because the sizes in a damaged
   *     heap cannot be trusted
   */
  void update(String what, double part);
}
