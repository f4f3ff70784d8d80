package io.everheap.report;

import java.time.Duration;
import java.util.List;

/**
 * What a collection did.
 *
 * @param outcome whether it went through to its end
 * @param objects that it freed
 * @param structures that it freed: collections and the like that {@code Heap.create} made
 * @param bytes of the freed objects with the values of their fields, and of the headers of the
 *     freed structures; the other blocks of large structures are freed in the background and not
 *     counted
 * @param liveObjects that it found; those that were made while it ran are not counted
 * @param liveStructures likewise, roots included
 * @param duration of the whole
 * @param longestPause that it made writers wait; what they paid for their own stores is not counted
 * @param savedBytes of memory that it took to keep what transactions overwrote meanwhile
 * @param leftAlone what was not freed because it is damaged: what nothing leads to, and chunks
 *     whose blocks cannot be found; at most {@value #MAX_LEFT_ALONE} of them
 */
public record CollectReport(
    Outcome outcome,
    long objects,
    long structures,
    long bytes,
    long liveObjects,
    long liveStructures,
    Duration duration,
    Duration longestPause,
    long savedBytes,
    List<String> leftAlone) {
  /** More are not listed. */
  public static final int MAX_LEFT_ALONE = 100;

  /** Copies the list. */
  public CollectReport {
    leftAlone = List.copyOf(leftAlone);
  }

  /** How it ended. */
  public enum Outcome {
    /** All that nothing led to when it began was freed, but what is left alone. */
    COMPLETE,
    /** The thread was interrupted; what was freed until then stays freed. */
    INTERRUPTED,
    /**
     * Nothing was freed: transactions overwrote more than the memory that a collection may take.
     * Try again when there is less to do, or see {@code HeapBuilder.collectMemory}.
     */
    TOO_MANY_CHANGES
  }

  /** Whether it went through to its end. */
  public boolean complete() {
    return outcome == Outcome.COMPLETE;
  }
}
