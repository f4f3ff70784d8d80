package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Random;

/** A process that works on maps of a heap, and compares them with a model. */
final class MapProcess implements SimulatedProcess {
  private final HeapSetup setup;
  private final long seed;
  private final int steps;
  private final int later;
  private final Ledger<Contents> ledger;

  /** The first process, which makes the heap. */
  MapProcess(HeapSetup setup, long seed, int steps) {
    this(setup, seed, steps, 8);
  }

  /**
   * The same.
   *
   * @param later steps of each process that comes after it
   */
  MapProcess(HeapSetup setup, long seed, int steps, int later) {
    this(setup, seed, steps, later, Ledger.Before.of(Contents.empty()));
  }

  private MapProcess(
      HeapSetup setup, long seed, int steps, int later, Ledger.Before<Contents> before) {
    this.setup = setup;
    this.seed = seed;
    this.steps = steps;
    this.later = later;
    this.ledger = new Ledger<>(before, setup.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) -> new MapProcess(setup, next, Math.min(steps, later), later, before));
  }

  @Override
  public void run(SimulatedMedium medium) {
    try (Heap heap = setup.open(medium)) {
      var work = new MapWork(heap, seed);
      ledger.opened(work.contents());
      setup.verify(heap);
      work(heap, work);
      setup.verify(heap);
    }
    if (new Random(seed).nextInt(4) == 0) {
      reopen(medium.processKill());
    }
  }

  private void work(Heap heap, MapWork maps) {
    var random = new Random(~seed);
    Contents model = ledger.last().copy();
    for (int i = 0; i < steps; i++) {
      maps.step(model, state -> ledger.announce(state.copy()));
      ledger.committed();
      if (random.nextInt(12) == 0) {
        heap.sync();
        ledger.synced();
      }
      if (random.nextInt(15) == 0) {
        heap.checkpoint();
        ledger.synced();
      }
      if (random.nextInt(40) == 0) {
        heap.shrink();
      }
    }
    assertThat(maps.contents()).as("what the maps hold before the end").isEqualTo(model);
  }

  private void reopen(SimulatedMedium medium) {
    try (medium;
        Heap heap = setup.open(medium)) {
      assertThat(new MapWork(heap, seed).contents())
          .as("after a clean close")
          .isEqualTo(ledger.last());
    }
  }
}
