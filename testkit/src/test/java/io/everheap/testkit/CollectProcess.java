package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.heap.OpenHeap;
import io.everheap.report.CollectReport;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Random;

/**
 * A process that changes a graph of objects and structures, frees nothing itself, and collects
 * while it goes on changing it. Whatever a crash leaves must hold all that the roots led to, and
 * another collection must leave nothing else.
 */
final class CollectProcess implements SimulatedProcess {
  private static final int LATER = 6;

  private final HeapSetup setup;
  private final long seed;
  private final int steps;
  private final Ledger<String> ledger;

  CollectProcess(HeapSetup setup, long seed, int steps) {
    this(setup, seed, steps, Ledger.Before.of(""));
  }

  private CollectProcess(HeapSetup setup, long seed, int steps, Ledger.Before<String> before) {
    this.setup = setup;
    this.seed = seed;
    this.steps = steps;
    this.ledger = new Ledger<>(before, setup.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) -> new CollectProcess(setup, next, Math.min(steps, LATER), before));
  }

  @Override
  public void run(SimulatedMedium medium) {
    try (Heap heap = setup.open(medium)) {
      CollectWork work = new CollectWork(heap, seed);
      ledger.opened(work.contents());
      setup.verify(heap);
      var random = new Random(~seed);
      for (int i = 0; i < steps; i++) {
        step(work);
        if (random.nextInt(6) == 0) {
          collect(heap, random, work);
        }
        if (random.nextInt(15) == 0) {
          heap.checkpoint();
          ledger.synced();
        }
      }
      assertThat(work.contents()).as("what the heap holds").isEqualTo(work.expected());
      nothingElseIsLeft(heap, work);
    }
  }

  private void step(CollectWork work) {
    work.step(ledger::announce);
    ledger.committed();
  }

  private void collect(Heap heap, Random random, CollectWork work) {
    CollectReport report =
        heap.collect(
            (phase, done) -> {
              if (random.nextInt(3) == 0) {
                step(work);
              }
            });
    assertThat(report.complete()).isTrue();
    assertThat(report.leftAlone()).isEmpty();
    assertThat(work.contents()).as("what the heap holds").isEqualTo(work.expected());
  }

  private void nothingElseIsLeft(Heap heap, CollectWork work) {
    heap.collect();
    OpenHeap.engine(heap).drainHousekeeping();
    assertThat(heap.collect().objects()).isZero();
    assertThat(work.contents()).as("what the heap holds").isEqualTo(work.expected());
    setup.verify(heap);
    assertThat(heap.verify().unreachable()).as("what nothing leads to").isZero();
    assertThat(heap.verify().notChecked()).as("references to what is gone").isEmpty();
    assertThat(heap.verify().dangling()).as("references to what is gone").isEmpty();
  }
}
