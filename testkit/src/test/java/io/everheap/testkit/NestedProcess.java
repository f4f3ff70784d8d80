package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.Shape;
import io.everheap.report.VerifyReport;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A process that works on a map of sets, which it makes and frees, and compares it with a model. No
 * crash may leave a set behind that nothing leads to, or an entry that leads to none.
 */
final class NestedProcess implements SimulatedProcess {
  private static final Shape<DurableSet<Long>> SET = DurableSet.of(Long.class);
  private static final int KEYS = 6;
  private static final int ELEMENTS = 30;
  private static final int LATER = 8;

  private final HeapSetup setup;
  private final long seed;
  private final int steps;
  private final Ledger<Map<Long, Set<Long>>> ledger;

  NestedProcess(HeapSetup setup, long seed, int steps) {
    this(setup, seed, steps, Ledger.Before.of(Map.of()));
  }

  private NestedProcess(
      HeapSetup setup, long seed, int steps, Ledger.Before<Map<Long, Set<Long>>> before) {
    this.setup = setup;
    this.seed = seed;
    this.steps = steps;
    this.ledger = new Ledger<>(before, setup.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) -> new NestedProcess(setup, next, Math.min(steps, LATER), before));
  }

  @Override
  public void run(SimulatedMedium medium) {
    try (Heap heap = setup.open(medium)) {
      DurableMap<Long, DurableSet<Long>> sets = heap.root("sets", DurableMap.of(Long.class, SET));
      ledger.opened(contents(sets));
      verify(heap);
      work(heap, sets);
      verify(heap);
    }
  }

  private static void verify(Heap heap) {
    VerifyReport report = heap.verify();
    assertThat(report.problems()).as("problems that verify finds").isEmpty();
    assertThat(report.unreachable()).as("sets that nothing leads to").isZero();
  }

  private static Map<Long, Set<Long>> contents(Map<Long, DurableSet<Long>> sets) {
    Map<Long, Set<Long>> found = new TreeMap<>();
    sets.forEach((key, set) -> found.put(key, new TreeSet<>(set)));
    return found;
  }

  private void work(Heap heap, DurableMap<Long, DurableSet<Long>> sets) {
    var random = new Random(~seed);
    Map<Long, Set<Long>> model = contents(sets);
    for (int i = 0; i < steps; i++) {
      heap.transact(
          () -> {
            for (int n = random.nextInt(3); n >= 0; n--) {
              step(heap, sets, model, random);
            }
            Map<Long, Set<Long>> state = new TreeMap<>();
            model.forEach((key, set) -> state.put(key, new TreeSet<>(set)));
            ledger.announce(state);
          });
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
    assertThat(contents(sets)).as("what the sets hold before the end").isEqualTo(model);
  }

  private static void step(
      Heap heap,
      DurableMap<Long, DurableSet<Long>> sets,
      Map<Long, Set<Long>> model,
      Random random) {
    long key = random.nextInt(KEYS);
    long element = random.nextInt(ELEMENTS);
    Set<Long> wanted = model.computeIfAbsent(key, k -> new TreeSet<>());
    DurableSet<Long> set = sets.computeIfAbsent(key, k -> heap.create(SET));
    switch (random.nextInt(8)) {
      case 0 -> {
        heap.free(sets.remove(key));
        model.remove(key);
      }
      case 1 -> {
        set.clear();
        wanted.clear();
      }
      case 2, 3 -> assertThat(set.remove(element)).isEqualTo(wanted.remove(element));
      default -> assertThat(set.add(element)).isEqualTo(wanted.add(element));
    }
  }
}
