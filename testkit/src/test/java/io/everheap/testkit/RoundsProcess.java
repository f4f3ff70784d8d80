package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A process that makes one checkpoint after another. During the nth of them a writer acts, from its
 * nth step on, until a checkpoint has fewer steps; see {@link Interleaving}. The process may be
 * crashed from the moment on at which the writer begins, until the first commit after the next
 * checkpoint.
 */
final class RoundsProcess implements SimulatedProcess {
  private final HeapSetup setup;
  private final Plan plan;
  private final long seed;
  private final boolean first;
  private final Ledger<Map<Long, Long>> ledger;
  private final Interleaving interleaving = new Interleaving();
  private volatile int round;
  private int interleavings;

  /** Which action is interrupted by which. */
  enum Order {
    /** The writer runs at a step of the round until it ends or waits. */
    IN_ROUND,
    /** The same, but the writer stops at a step of its own until the round ends or waits. */
    IN_BOTH,
    /** The round runs at a step of the writer. */
    IN_WRITER
  }

  /**
   * What is interleaved.
   *
   * @param act of the writer
   * @param from the step of the first round at which the writer acts, from 1
   * @param every the distance of these steps in two consecutive rounds
   */
  record Plan(RoundsWork.Act act, Order order, int from, int every) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s, %s", act, order).toLowerCase(Locale.ROOT);
    }
  }

  /** The first process, which makes the heap. */
  RoundsProcess(HeapSetup setup, Plan plan, long seed) {
    this(setup, plan, seed, true, Ledger.Before.of(Map.of()));
  }

  private RoundsProcess(
      HeapSetup setup, Plan plan, long seed, boolean first, Ledger.Before<Map<Long, Long>> before) {
    this.setup = setup;
    this.plan = plan;
    this.seed = seed;
    this.first = first;
    this.ledger = new Ledger<>(before, false);
  }

  @Override
  public Promise promise() {
    return ledger.promise((next, before) -> new RoundsProcess(setup, plan, next, false, before));
  }

  @Override
  public @Nullable String phase() {
    int now = round;
    return first && (now == 0 || !interleaving.isBegun()) ? null : now + " ";
  }

  /** How many rounds were interleaved with an act of the writer. */
  int interleavings() {
    return interleavings;
  }

  @Override
  public void run(SimulatedMedium medium) throws Exception {
    try (Heap heap = setup.open(medium, HookedMedium.of(medium, interleaving))) {
      var work = new RoundsWork(heap, ledger);
      ledger.opened(work.contents());
      setup.verify(heap);
      if (first) {
        work.begin();
        rounds(heap, work);
      } else {
        work.act(RoundsWork.Act.OVERWRITE);
        heap.checkpoint();
      }
      assertThat(work.contents()).as("what the heap holds at the end").isEqualTo(ledger.last());
      setup.verify(heap);
    }
  }

  private void rounds(Heap heap, RoundsWork work) throws InterruptedException {
    var random = new Random(seed);
    int number = 0;
    int at = plan.from;
    boolean more = true;
    while (more) {
      work.change();
      round = ++number;
      more = meet(heap, work, at, stop(random));
      heap.checkpoint(); // writes what the writer changed, unless its pages passed for clean
      interleavings += more ? 1 : 0;
      at += plan.every;
    }
    round = 0;
  }

  /** One of the steps that the writer had in the round before, or the one after its last. */
  private int stop(Random random) {
    return plan.order == Order.IN_BOTH ? 1 + random.nextInt(interleaving.stepsOfSecond() + 1) : 0;
  }

  private boolean meet(Heap heap, RoundsWork work, int at, int stopAt) throws InterruptedException {
    Runnable act = () -> work.act(plan.act);
    return plan.order == Order.IN_WRITER
        ? interleaving.run(act, false, at, heap::checkpoint, 0)
        : interleaving.run(heap::checkpoint, true, at, act, stopAt);
  }

  @Override
  public String toString() {
    return plan + " with seed " + seed;
  }
}
