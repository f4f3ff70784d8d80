package io.everheap.report;

import io.everheap.stability.Evolving;

/**
 * Receives the progress of a backup, a check or a restore; called often, by the thread of it. Must
 * not write to the heap: a transaction may wait for log space that this thread is to free.
 *
 * @since 0.9
 */
@FunctionalInterface
@Evolving
public interface BackupProgress {
  /** Ignores the progress. */
  BackupProgress NONE = (what, part) -> {};

  /**
   * Reports progress.
   *
   * @param what is being done, as text for people
   * @param part the share that is done, from 0 to 1; an estimate
   */
  void update(String what, double part);
}
