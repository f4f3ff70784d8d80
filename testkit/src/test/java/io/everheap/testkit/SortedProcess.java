package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * A process that works on a sorted map of texts and a sorted set of its numbers, which it keeps
 * equal, and compares them with a model. Changes come in runs of neighbours, so that nodes are
 * split and joined. Now and then the upper part moves to another map and another set; the model has
 * its keys too, {@value #KEYS} higher.
 */
final class SortedProcess implements SimulatedProcess {
  private static final int KEYS = 400;
  private static final int LATER = 8;

  private final HeapSetup setup;
  private final long seed;
  private final int steps;
  private final Ledger<NavigableMap<Long, Long>> ledger;

  /** The first process, which makes the heap. */
  SortedProcess(HeapSetup setup, long seed, int steps) {
    this(setup, seed, steps, Ledger.Before.of(new TreeMap<>()));
  }

  private SortedProcess(
      HeapSetup setup, long seed, int steps, Ledger.Before<NavigableMap<Long, Long>> before) {
    this.setup = setup;
    this.seed = seed;
    this.steps = steps;
    this.ledger = new Ledger<>(before, setup.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) -> new SortedProcess(setup, next, Math.min(steps, LATER), before));
  }

  @Override
  public void run(SimulatedMedium medium) {
    try (Heap heap = setup.open(medium)) {
      ledger.opened(contents(heap));
      setup.verify(heap);
      work(heap);
      setup.verify(heap);
    }
    if (new Random(seed).nextInt(4) == 0) {
      try (SimulatedMedium again = medium.processKill();
          Heap heap = setup.open(again)) {
        assertThat(contents(heap)).as("after a clean close").isEqualTo(ledger.last());
      }
    }
  }

  private static DurableSortedMap<String, String> map(Heap heap) {
    return heap.sortedMap("map", String.class, String.class);
  }

  private static DurableSortedSet<Long> set(Heap heap) {
    return heap.sortedSet("set", Long.class);
  }

  private static DurableSortedMap<String, String> movedMap(Heap heap) {
    return heap.sortedMap("moved map", String.class, String.class);
  }

  private static DurableSortedSet<Long> movedSet(Heap heap) {
    return heap.sortedSet("moved set", Long.class);
  }

  private static String key(long key) {
    return String.format(Locale.ROOT, "a common beginning %04d", key);
  }

  private static NavigableMap<Long, Long> contents(Heap heap) {
    NavigableMap<Long, Long> found = contents(map(heap), set(heap));
    contents(movedMap(heap), movedSet(heap)).forEach((key, v) -> found.put(KEYS + key, v));
    return found;
  }

  private static NavigableMap<Long, Long> contents(
      DurableSortedMap<String, String> map, DurableSortedSet<Long> set) {
    NavigableMap<Long, Long> found = new TreeMap<>();
    for (Map.Entry<String, String> entry : map.entrySet()) {
      String text = entry.getKey();
      found.put(Long.valueOf(text.substring(text.length() - 4)), value(entry.getValue()));
    }
    assertThat(set).containsExactlyElementsOf(found.keySet());
    return found;
  }

  private static String text(long value) {
    return value + " " + "x".repeat((int) (value % 97));
  }

  private static long value(String text) {
    long value = Long.parseLong(text.substring(0, text.indexOf(' ')));
    assertThat(text).isEqualTo(text(value));
    return value;
  }

  private void work(Heap heap) {
    Random random = new Random(~seed);
    NavigableMap<Long, Long> model = new TreeMap<>(ledger.last());
    for (int i = 0; i < steps; i++) {
      change(heap, random, model);
      if (random.nextInt(12) == 0) {
        heap.sync();
        ledger.synced();
      }
      if (random.nextInt(15) == 0) {
        heap.checkpoint();
        ledger.synced();
      }
    }
    assertThat(contents(heap)).as("before the end").isEqualTo(model);
  }

  private void change(Heap heap, Random random, NavigableMap<Long, Long> model) {
    long from = random.nextInt(KEYS);
    int count = random.nextInt(8) == 0 ? 90 : random.nextInt(1, 4);
    int kind = random.nextInt(20);
    heap.transact(
        () -> {
          if (kind == 0) {
            map(heap).clear();
            set(heap).clear();
            model.headMap((long) KEYS).clear();
          } else if (kind < 3) {
            moveTail(heap, model, from);
          } else if (kind < 6) {
            map(heap).subMap(key(from), key(from + count)).clear();
            set(heap).subSet(from, from + count).clear();
            model.subMap(from, Math.min(KEYS, from + count)).clear();
          } else {
            for (long key = from; key < Math.min(KEYS, from + count); key++) {
              put(heap, model, key, random);
            }
          }
          ledger.announce(new TreeMap<>(model));
        });
    ledger.committed();
  }

  private static void moveTail(Heap heap, NavigableMap<Long, Long> model, long from) {
    movedMap(heap).clear();
    movedSet(heap).clear();
    model.tailMap((long) KEYS).clear();
    NavigableMap<Long, Long> tail = new TreeMap<>(model.tailMap(from));
    assertThat(map(heap).moveTailTo(key(from), movedMap(heap))).isEqualTo(tail.size());
    assertThat(set(heap).moveTailTo(from, movedSet(heap))).isEqualTo(tail.size());
    model.tailMap(from).clear();
    tail.forEach((key, value) -> model.put(KEYS + key, value));
  }

  private static void put(Heap heap, NavigableMap<Long, Long> model, long key, Random random) {
    if (random.nextInt(4) == 0) {
      map(heap).remove(key(key));
      set(heap).remove(key);
      model.remove(key);
    } else {
      long value = random.nextInt(1_000_000);
      map(heap).put(key(key), text(value));
      set(heap).add(key);
      model.put(key, value);
    }
  }
}
