package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A process that renames roots and changes them, and compares names and contents with a model. No
 * crash may show a root under two names, or under none.
 */
final class RenameProcess implements SimulatedProcess {
  private static final int NAMES = 5;
  private static final int LATER = 8;

  private final HeapSetup setup;
  private final long seed;
  private final int steps;
  private final Ledger<Map<String, Long>> ledger;

  RenameProcess(HeapSetup setup, long seed, int steps) {
    this(setup, seed, steps, Ledger.Before.of(Map.of()));
  }

  private RenameProcess(
      HeapSetup setup, long seed, int steps, Ledger.Before<Map<String, Long>> before) {
    this.setup = setup;
    this.seed = seed;
    this.steps = steps;
    this.ledger = new Ledger<>(before, setup.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) -> new RenameProcess(setup, next, Math.min(steps, LATER), before));
  }

  @Override
  public void run(SimulatedMedium medium) {
    try (Heap heap = setup.open(medium)) {
      ledger.opened(contents(heap));
      setup.verify(heap);
      work(heap);
      setup.verify(heap);
    }
  }

  private static Map<String, Long> contents(Heap heap) {
    Map<String, Long> found = new TreeMap<>();
    heap.names()
        .forEach(
            name -> found.put(name, heap.map(name, Long.class, Long.class).getOrDefault(0L, -1L)));
    return found;
  }

  private void work(Heap heap) {
    var random = new Random(~seed);
    Map<String, Long> model = new TreeMap<>(ledger.last());
    for (int i = 0; i < steps; i++) {
      heap.transact(
          () -> {
            for (int n = random.nextInt(3); n >= 0; n--) {
              step(heap, model, random);
            }
            ledger.announce(new TreeMap<>(model));
          });
      ledger.committed();
      if (random.nextInt(15) == 0) {
        heap.checkpoint();
        ledger.synced();
      }
    }
    assertThat(contents(heap)).as("the roots before the end").isEqualTo(model);
  }

  private static void step(Heap heap, Map<String, Long> model, Random random) {
    String name = "root" + random.nextInt(NAMES);
    String other = "root" + random.nextInt(NAMES);
    if (model.containsKey(name) && !model.containsKey(other)) {
      heap.rename(name, other);
      model.put(other, model.remove(name));
    } else {
      long value = random.nextLong();
      heap.map(name, Long.class, Long.class).put(0L, value);
      model.put(name, value);
    }
  }
}
