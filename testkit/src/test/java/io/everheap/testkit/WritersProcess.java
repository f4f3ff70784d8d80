package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableMap;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A process whose threads write to one map at once, while checkpoints and syncs run in the
 * background. Each commit counts itself, names its thread, and changes one entry; so what is found
 * after a crash tells which commits it holds, and must be the state after one of them, in the order
 * in which they were made.
 *
 * <p>With large transactions each commit also changes every word of an array in place, or replaces
 * a value of many pages, while a thread makes one checkpoint after the other: so pages are copied
 * in the middle of commits.
 *
 * <p>What the threads do depends on the seed, when they do it does not.
 */
final class WritersProcess implements SimulatedProcess {
  private static final long COMMITS = -1;
  private static final long WRITER = -2;

  /** What the array holds. */
  private static final long ARRAY = -3;

  /** What the first of the large values holds; the others are below. */
  private static final long VALUES = -10;

  private static final int MOST_VALUES = 4;
  private static final int WORDS = 12_000;
  private static final int THREADS = 3;
  private static final int KEYS = 20;

  private final HeapSetup setup;
  private final long seed;
  private final int steps;
  private final boolean large;
  private final Ledger<Map<Long, Long>> ledger;

  /** The first process, which makes the heap. */
  WritersProcess(HeapSetup setup, long seed, int steps, boolean large) {
    this(setup, seed, steps, large, Ledger.Before.of(Map.of()));
  }

  private WritersProcess(
      HeapSetup setup, long seed, int steps, boolean large, Ledger.Before<Map<Long, Long>> before) {
    this.setup = setup;
    this.seed = seed;
    this.steps = steps;
    this.large = large;
    this.ledger = new Ledger<>(before, setup.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) ->
            new WritersProcess(setup, next, Math.min(steps, large ? 2 : 4), large, before));
  }

  @Override
  public void run(SimulatedMedium medium) throws Exception {
    try (Heap heap = setup.open(medium)) {
      ledger.opened(Map.copyOf(map(heap)));
      setup.verify(heap);
      requireLarge(heap);
      var writing = new AtomicBoolean(large);
      Thread checkpoints =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (writing.get()) {
                      heap.checkpoint();
                    }
                  });
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
        Limit.join(writer);
      }
      writing.set(false);
      Limit.join(checkpoints);
      assertThat(failures).as("failures of writers").isEmpty();
      assertThat(Map.copyOf(map(heap))).as("before the end").isEqualTo(ledger.last());
      setup.verify(heap);
      requireLarge(heap);
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
          if (large) {
            changeMuch(heap, key, value);
          }
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

  private static void changeMuch(Heap heap, long key, long value) {
    if (value % 2 == 0) {
      DurableLongArray array = array(heap);
      for (int i = 0; i < WORDS; i++) {
        array.set(i, value * 31 + i);
      }
      map(heap).put(ARRAY, value);
    } else {
      long place = key % MOST_VALUES;
      values(heap).put(place, bytes(value));
      map(heap).put(VALUES - place, value);
    }
  }

  /** The array and the large values are what the map says. */
  private void requireLarge(Heap heap) {
    if (!large || map(heap).isEmpty()) {
      return;
    }
    Long inArray = map(heap).get(ARRAY);
    if (inArray != null) {
      DurableLongArray array = array(heap);
      for (int i = 0; i < WORDS; i++) {
        if (array.get(i) != inArray * 31 + i) {
          throw new AssertionError("word " + i + " of the array of " + inArray);
        }
      }
    }
    for (long place = 0; place < MOST_VALUES; place++) {
      Long value = map(heap).get(VALUES - place);
      byte[] expected = value == null ? null : bytes(value);
      assertThat(values(heap).get(place)).as("large value " + place).isEqualTo(expected);
    }
  }

  /** From 50 to 150 KB. */
  private static byte[] bytes(long value) {
    byte[] bytes = new byte[50_000 + (int) (value % 100_000)];
    new Random(value).nextBytes(bytes);
    return bytes;
  }

  private static DurableLongArray array(Heap heap) {
    return heap.root("array", DurableLongArray.ofLength(WORDS));
  }

  private static DurableMap<Long, byte[]> values(Heap heap) {
    return heap.map("values", Long.class, byte[].class);
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%d writers with seed %d", THREADS, seed);
  }
}
