package io.everheap.testkit;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.stability.Evolving;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Measures how often code makes bytes durable, how many, and whether needlessly or too late; for
 * tests of a budget:
 *
 * <pre>{@code
 * FlushLint.Cost cost =
 *     FlushLint.of(heap -> map(heap).put("a", 1L)).after(heap -> map(heap).put("b", 2L)).onFiles();
 * assertThat(cost.syncs()).isLessThanOrEqualTo(1);
 * assertThat(cost.unflushed()).isEmpty();
 * }</pre>
 *
 * <p>The code runs once on a heap with {@link Durability#SYNC} on a simulated medium, without
 * threads in the background; the same code always costs the same. Not thread-safe.
 *
 * @since 0.9
 */
@Evolving
public final class FlushLint {
  private final CrashTest.Operation measured;
  private CrashTest.Operation preparation = heap -> {};

  /**
   * The cost of the code.
   *
   * @param fences forces of mapped memory, each of which ends with one fence; none on files
   * @param syncs syncs and durable writes of files, and syncs of directories
   * @param logBytes bytes of the log that were made durable, including the padding between records
   * @param idle forces and syncs that had nothing to make durable
   * @param cleanLines cache lines that were forced although nothing was stored to them
   * @param unflushed the parts of the log that a power loss could still take back when the code
   *     returned
   */
  public record Cost(
      long fences, long syncs, long logBytes, long idle, long cleanLines, List<String> unflushed) {
    /** Copies the list. */
    public Cost {
      unflushed = List.copyOf(unflushed);
    }
  }

  private FlushLint(CrashTest.Operation measured) {
    this.measured = Objects.requireNonNull(measured, "measured");
  }

  /**
   * Makes a measurement.
   *
   * @param measured the code
   * @return a measurement on an empty heap
   */
  public static FlushLint of(CrashTest.Operation measured) {
    return new FlushLint(measured);
  }

  /**
   * Runs a preparation before, which is not measured.
   *
   * @param newPreparation what to do on the empty heap
   * @return this
   */
  public FlushLint after(CrashTest.Operation newPreparation) {
    preparation = Objects.requireNonNull(newPreparation, "preparation");
    return this;
  }

  /**
   * Runs the code on ordinary storage.
   *
   * @return what it cost
   * @throws Exception what the code throws
   */
  public Cost onFiles() throws Exception {
    return measure(SimulatedMedium.file(1));
  }

  /**
   * Runs the code on byte-addressable storage.
   *
   * @return what it cost
   * @throws Exception what the code throws
   */
  public Cost onDax() throws Exception {
    return measure(SimulatedMedium.dax(1));
  }

  private Cost measure(SimulatedMedium medium) throws Exception {
    try (medium;
        Heap heap = new SimulatedHeaps(Durability.SYNC, UnaryOperator.identity()).open(medium)) {
      preparation.run(heap);
      FlushMeter meter = new FlushMeter(medium);
      measured.run(heap);
      return meter.read();
    }
  }
}
