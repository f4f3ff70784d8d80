package io.everheap.report;

import io.everheap.stability.Evolving;

/**
 * Receives the progress of a collection. Called often, between two steps, by the thread that runs
 * the collection; no lock is held then, so it may use the heap.
 *
 * @since 0.9
 */
@FunctionalInterface
@Evolving
public interface CollectProgress {
  /** Ignores the progress. */
  CollectProgress NONE = (phase, done) -> {};

  /** What a collection is doing. */
  enum Phase {
    /** It follows references; the count is of the objects and structures that it reached. */
    MARKING,
    /** It frees what it did not reach; the count is of the objects and structures that it freed. */
    FREEING
  }

  /**
   * Reports progress.
   *
   * @param phase of the collection
   * @param done objects and structures in this phase so far
   */
  void update(Phase phase, long done);
}
