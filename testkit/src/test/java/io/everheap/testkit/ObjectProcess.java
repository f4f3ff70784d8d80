package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.testkit.Human.LaterPerson;
import io.everheap.testkit.Human.Person;
import io.everheap.testkit.ObjectWork.Row;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A process that works on objects of a heap, by one of two versions of their interface. */
final class ObjectProcess implements SimulatedProcess {
  private final HeapSetup setup;
  private final long seed;
  private final int steps;
  private final Ledger<Map<Integer, Row>> ledger;

  /** The first process, which makes the heap. */
  ObjectProcess(HeapSetup setup, long seed, int steps) {
    this(setup, seed, steps, Ledger.Before.of(Map.of()));
  }

  private ObjectProcess(
      HeapSetup setup, long seed, int steps, Ledger.Before<Map<Integer, Row>> before) {
    this.setup = setup;
    this.seed = seed;
    this.steps = steps;
    this.ledger = new Ledger<>(before, setup.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) -> new ObjectProcess(setup, next, Math.min(steps, 8), before));
  }

  @Override
  public void run(SimulatedMedium medium) {
    try (Heap heap = setup.open(medium)) {
      boolean later = new Random(seed).nextBoolean();
      if (later) {
        work(heap, new ObjectWork<>(heap, LaterPerson.class, seed));
      } else {
        work(heap, new ObjectWork<>(heap, Person.class, seed));
      }
    }
  }

  private void work(Heap heap, ObjectWork<?> objects) {
    ledger.opened(objects.contents());
    verify(heap);
    var random = new Random(~seed);
    Map<Integer, Row> model = new TreeMap<>(ledger.last());
    for (int i = 0; i < steps; i++) {
      objects.step(model, state -> ledger.announce(new TreeMap<>(state)));
      ledger.committed();
      if (random.nextInt(12) == 0) {
        heap.sync();
        ledger.synced();
      }
      if (random.nextInt(15) == 0) {
        heap.checkpoint();
        ledger.synced();
      }
    }
    assertThat(objects.contents()).as("what the objects hold before the end").isEqualTo(model);
    verify(heap);
  }

  /** Every object is in the map, so nothing may be out of reach. */
  private void verify(Heap heap) {
    setup.verify(heap);
    assertThat(heap.verify().unreachable()).as("objects out of reach").isZero();
    assertThat(heap.verify().notChecked()).as("references to what is gone").isEmpty();
    assertThat(heap.verify().dangling()).as("references to what is gone").isEmpty();
  }
}
