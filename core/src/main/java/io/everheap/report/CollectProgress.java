package io.everheap.report;

/**
 * Takes the progress of a collection. Called by the thread that runs it, often and between two
 * steps, when it holds no lock: it may use the heap.
 */
@FunctionalInterface
public interface CollectProgress {
  /** Ignores it. */
  CollectProgress NONE = (phase, done) -> {};

  /** What a collection is doing. */
  enum Phase {
    /** It follows references; counted are the objects and structures that it found. */
    MARKING,
    /** It frees what it did not find; counted are the objects and structures that it freed. */
    FREEING
  }

  /**
   * Some more is done.
   *
   * @param phase that it is in
   * @param done objects and structures so far
   */
  void update(Phase phase, long done);
}
