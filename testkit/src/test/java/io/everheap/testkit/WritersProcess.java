package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A process whose threads write to one map at once, while checkpoints and syncs run in the
 * background. Each commit counts itself, names its thread, and changes one entry; so what is found
 * after a crash tells which commits it holds, and must be the state after one of them, in the order
 * in which they were made.
 *
 * <p>What the threads do depends on the seed, when they do it does not.
 */
final class WritersProcess implements SimulatedProcess {
  private static final long COMMITS = -1;
  private static final long WRITER = -2;
  private static final int THREADS = 3;
  private static final int KEYS = 20;

  private final HeapSetup setup;
  private final long seed;
  private final int steps;
  private final Ledger<Map<Long, Long>> ledger;

  /** The first process, which makes the heap. */
  WritersProcess(HeapSetup setup, long seed, int steps) {
    this(setup, seed, steps, Ledger.Before.of(Map.of()));
  }

  private WritersProcess(
      HeapSetup setup, long seed, int steps, Ledger.Before<Map<Long, Long>> before) {
    this.setup = setup;
    this.seed = seed;
    this.steps = steps;
    this.ledger = new Ledger<>(before, setup.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) -> new WritersProcess(setup, next, Math.min(steps, 4), before));
  }

  @Override
  public void run(SimulatedMedium medium) throws Exception {
    try (Heap heap = setup.open(medium)) {
      ledger.opened(Map.copyOf(map(heap)));
      setup.verify(heap);
      List<Thread> writers = new ArrayList<>();
      List<Throwable> failures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int writer = i;
        writers.add(
            Thread.ofPlatform()
                .name("writer-" + i)
                .uncaughtExceptionHandler(
                    (thread, e) -> {
                      synchronized (failures) {
                        failures.add(e);
                      }
                    })
                .start(() -> write(heap, writer)));
      }
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(failures).as("failures of writers").isEmpty();
      assertThat(Map.copyOf(map(heap))).as("before the end").isEqualTo(ledger.last());
      setup.verify(heap);
    }
  }

  private void write(Heap heap, int writer) {
    var random = new Random(seed * 31 + writer);
    for (int i = 0; i < steps; i++) {
      int commit = commit(heap, writer, random.nextInt(KEYS), random.nextInt(1_000_000));
      ledger.committed(commit);
      if (random.nextInt(5) == 0) {
        int durable = ledger.finished();
        heap.sync();
        ledger.synced(durable);
      }
      if (random.nextInt(12) == 0) {
        heap.checkpoint();
      }
    }
  }

  /** Returns the place of the commit in the order of all. */
  private int commit(Heap heap, long writer, long key, long value) {
    return heap.transact(
        () -> {
          DurableMap<Long, Long> map = map(heap);
          map.merge(COMMITS, 1L, Long::sum);
          map.put(WRITER, writer);
          if (value % 4 == 0) {
            map.remove(key);
          } else {
            map.put(key, value);
          }
          // Nobody else commits before this transaction ends.
          Map<Long, Long> state = new TreeMap<>(map);
          return ledger.announce(Map.copyOf(state));
        });
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }

  @Override
  public String toString() {
    return "%d writers with seed %d".formatted(THREADS, seed);
  }
}
