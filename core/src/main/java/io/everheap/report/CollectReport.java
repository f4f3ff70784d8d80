package io.everheap.report;

import io.everheap.stability.Evolving;
import java.time.Duration;
import java.util.List;

/**
 * The result of a collection.
 *
 * @param outcome whether it completed
 * @param objects freed
 * @param structures freed: collections and other structures that {@code Heap.create} made
 * @param bytes of the freed objects with the values of their fields, and of the headers of the
 *     freed structures; the other blocks of large structures are freed in the background and not
 *     counted
 * @param liveObjects reached; those that were made while it ran are not counted
 * @param liveStructures likewise, roots included
 * @param duration of the whole collection
 * @param longestPause the longest time for which it kept writers out; the cost of the barrier in
 *     their own stores is not counted
 * @param savedBytes of memory for copies of what transactions overwrote meanwhile
 * @param leftAlone unreachable objects and structures that were not freed because they are damaged,
 *     and chunks whose blocks cannot be found; at most {@value #MAX_LEFT_ALONE} of them
 * @since 0.9
 */
@Evolving
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
  /** The maximum length of the list of what was left alone. */
  public static final int MAX_LEFT_ALONE = 100;

  /** Copies the list. */
  public CollectReport {
    leftAlone = List.copyOf(leftAlone);
  }

  /** How a collection ended. */
  public enum Outcome {
    /** All that was unreachable when it began was freed, except what was left alone. */
    COMPLETE,
    /** The thread was interrupted; what was freed until then stays freed. */
    INTERRUPTED,
    /**
     * Nothing was freed: the copies of what transactions overwrote took more memory than a
     * collection may use. Try again when fewer transactions run, or raise {@code
     * HeapBuilder.collectMemory}.
     */
    TOO_MANY_CHANGES
  }

  /** Whether the collection completed. */
  public boolean complete() {
    return outcome == Outcome.COMPLETE;
  }
}
