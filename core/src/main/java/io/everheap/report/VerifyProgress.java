package io.everheap.report;

/** Takes the progress of a check or a salvage. Called by the thread that runs it, often. */
@FunctionalInterface
public interface VerifyProgress {
  /** Ignores it. */
  VerifyProgress NONE = (what, part) -> {};

  /**
   * Some more is done.
   *
   * @param what is being looked at, for people
   * @param part of the whole that is done, 0 to 1; an estimate, because nothing that a damaged heap
   *     says of its size can be trusted
   */
  void update(String what, double part);
}
