package io.everheap.structure.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.structure.map.Linearizability;
import io.everheap.structure.map.Linearizability.Effect;
import io.everheap.structure.map.Linearizability.Operation;
import io.everheap.structure.map.Linearizability.Outcome;
import io.everheap.structure.map.MapHeap;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Readers and writers of one sorted map at the same time. */
@Campaign
class DurableSortedMapConcurrencyTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 600;
  private static final int OPERATIONS = 12; // of each thread in each round
  private static final int KEYS = 3; // new ones in each round

  private final AtomicLong clock = new AtomicLong();
  private final Map<Integer, ConcurrentLinkedQueue<Operation>> histories =
      new ConcurrentHashMap<>();

  @Test
  void whatThreadsDoToTheSameWordsCanBePutIntoOneOrder() throws Exception {
    hammer(SortedTypes.natural(Codecs.LONG, Codecs.LONG), i -> i * 31L, v -> v, v -> v);
  }

  @Test
  void whatThreadsDoToTheSameTextsCanBePutIntoOneOrder() throws Exception {
    hammer(
        SortedTypes.natural(Codecs.STRING, Codecs.STRING),
        i -> "a common beginning " + i,
        v -> v + " " + "x".repeat((int) (v * 37 % 500)),
        v -> Long.parseLong(v.substring(0, v.indexOf(' '))));
  }

  private <K, V> void hammer(
      SortedTypes<K, V> types, IntFunction<K> key, LongFunction<V> value, ToLongFunction<V> number)
      throws Exception {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableSortedMap<K, V> map = heap.make(SortedKind.MAP.definition(types));
      CyclicBarrier barrier = new CyclicBarrier(THREADS);
      List<Callable<Object>> threads = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        threads.add(
            () -> {
              SplittableRandom random = new SplittableRandom(thread);
              for (int round = 0; round < ROUNDS; round++) {
                barrier.await(Limit.seconds(), TimeUnit.SECONDS);
                for (int i = 0; i < OPERATIONS; i++) {
                  int k = round * KEYS + random.nextInt(KEYS);
                  operate(map, random, k, key.apply(k), value, number);
                }
              }
              return thread;
            });
      }
      run(threads);
      histories.forEach(
          (k, history) ->
              assertThat(Linearizability.isLinearizable(List.copyOf(history)))
                  .as("history of key %s: %s", k, history)
                  .isTrue());
    }
  }

  private static void run(List<Callable<Object>> threads) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads.size())) {
      List<Future<Object>> running = threads.stream().map(executor::submit).toList();
      for (Future<Object> thread : running) {
        assertThat(Limit.get(thread)).isNotNull();
      }
    }
  }

  private <K, V> void operate(
      DurableSortedMap<K, V> map,
      SplittableRandom random,
      int k,
      K key,
      LongFunction<V> value,
      ToLongFunction<V> number) {
    long a = random.nextInt(4);
    switch (random.nextInt(8)) {
      case 0, 1 -> record(k, "get", v -> new Outcome(v, v), () -> of(number, map.get(key)));
      case 2, 3 ->
          record(
              k,
              "put " + a,
              v -> new Outcome(a, v),
              () -> of(number, map.put(key, value.apply(a))));
      case 4 -> record(k, "remove", v -> new Outcome(null, v), () -> of(number, map.remove(key)));
      case 5 ->
          record(
              k,
              "putIfAbsent " + a,
              v -> new Outcome(v == null ? Long.valueOf(a) : v, v),
              () -> of(number, map.putIfAbsent(key, value.apply(a))));
      case 6 ->
          record(
              k,
              "view",
              v -> new Outcome(v, v),
              () -> {
                NavigableMap<K, V> one = map.subMap(key, true, key, true);
                Map.Entry<K, V> entry = one.firstEntry();
                return entry == null ? null : number.applyAsLong(entry.getValue());
              });
      default ->
          record(
              k,
              "merge",
              v -> new Outcome(v == null ? a : v + 1, v == null ? a : v + 1),
              () ->
                  of(
                      number,
                      map.merge(
                          key,
                          value.apply(a),
                          (old, added) -> value.apply(number.applyAsLong(old) + 1))));
    }
  }

  private static <V> Object of(ToLongFunction<V> number, V value) {
    return value == null ? null : number.applyAsLong(value);
  }

  private void record(int key, String name, Effect effect, Supplier<Object> call) {
    long begin = clock.incrementAndGet();
    Object result = call.get();
    long end = clock.incrementAndGet();
    histories
        .computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>())
        .add(new Operation(name, effect, result, begin, end));
  }

  /**
   * Some keys are always there, some never; the others come and go in bunches, so that nodes are
   * split and joined below the readers' feet. Values follow from keys.
   */
  @Test
  void scansAndNeighboursAreRightWhileTheTreeGrowsAndShrinks() throws Exception {
    grow(WORDS, i -> (long) i, Long::intValue, i -> i * 7L);
    grow(
        SortedTypes.natural(Codecs.LONG, Codecs.STRING),
        i -> (long) i,
        Long::intValue,
        DurableSortedMapConcurrencyTest::value);
    grow(
        SortedTypes.natural(Codecs.STRING, Codecs.LONG),
        DurableSortedMapConcurrencyTest::text,
        DurableSortedMapConcurrencyTest::number,
        i -> i * 7L);
    grow(
        SortedTypes.natural(Codecs.STRING, Codecs.STRING),
        DurableSortedMapConcurrencyTest::text,
        DurableSortedMapConcurrencyTest::number,
        DurableSortedMapConcurrencyTest::value);
  }

  private static final SortedTypes<Long, Long> WORDS =
      SortedTypes.natural(Codecs.LONG, Codecs.LONG);

  private static String text(int i) {
    return String.format(Locale.ROOT, "a common beginning %06d", i);
  }

  private static int number(String text) {
    return Integer.parseInt(text.substring(text.length() - 6));
  }

  /** What a tree that is cleared leads to is freed, and used again, while readers are in it. */
  @Test
  void readersOfMapsThatAreClearedAndFilledAgainFindNothingElse() throws Exception {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableSortedMap<Long, Long> map = heap.make(SortedKind.MAP.definition(WORDS));
      DurableSortedMap<Long, Long> other = heap.make(SortedKind.MAP.definition(WORDS));
      AtomicBoolean done = new AtomicBoolean();
      List<Callable<Object>> threads = new ArrayList<>();
      threads.add(
          () -> {
            try {
              for (int round = 0; round < 100; round++) {
                fill(map, 7);
                map.clear();
                heap.engine().drainHousekeeping();
                fill(other, 11);
                other.clear();
                heap.engine().drainHousekeeping();
              }
            } finally {
              done.set(true);
            }
            return done;
          });
      threads.add(
          () -> {
            SplittableRandom random = new SplittableRandom(3);
            do {
              long key = random.nextLong(5000);
              Long value = map.get(key);
              assertThat(value == null ? key * 7 : value).isEqualTo(key * 7);
              map.tailMap(key).forEach((k, v) -> assertThat(v).isEqualTo(k * 7));
            } while (!done.get());
            return done;
          });
      run(threads);
      heap.check();
    }
  }

  private static void fill(DurableSortedMap<Long, Long> map, long factor) {
    Map<Long, Long> entries = new HashMap<>();
    for (long i = 0; i < 5000; i++) {
      entries.put(i, i * factor);
    }
    map.putAll(entries);
  }

  private static <K, V> void grow(
      SortedTypes<K, V> types, IntFunction<K> key, ToIntFunction<K> number, IntFunction<V> value)
      throws Exception {
    int bound = 3000;
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableSortedMap<K, V> map = heap.make(SortedKind.MAP.definition(types));
      Map<K, V> always = new HashMap<>();
      for (int i = 0; i < bound; i += 10) {
        always.put(key.apply(i), value.apply(i));
      }
      map.putAll(always);
      AtomicBoolean done = new AtomicBoolean();
      List<Callable<Object>> threads = new ArrayList<>();
      threads.add(
          () -> {
            SplittableRandom random = new SplittableRandom(1);
            try {
              for (int round = 0; round < 40; round++) {
                int from = random.nextInt(bound);
                boolean put = round % 2 == 0;
                for (int i = from; i < Math.min(bound, from + 600); i++) {
                  if (i % 10 != 0 && i % 10 != 5) { // those with 5 are never there
                    if (put) {
                      map.put(key.apply(i), value.apply(i));
                    } else {
                      map.remove(key.apply(i));
                    }
                  }
                }
              }
            } finally {
              done.set(true);
            }
            return done;
          });
      for (int t = 0; t < 2; t++) {
        boolean descending = t == 1;
        threads.add(
            () -> {
              SplittableRandom random = new SplittableRandom(2);
              do {
                checkScan(descending ? map.descendingMap() : map, descending, number, value, bound);
                checkNeighbours(map, random.nextInt(bound), key, number, value);
              } while (!done.get());
              return done;
            });
      }
      run(threads);
      heap.check();
    }
  }

  private static <K, V> void checkScan(
      NavigableMap<K, V> map,
      boolean descending,
      ToIntFunction<K> number,
      IntFunction<V> value,
      int bound) {
    int before = descending ? bound : -1;
    int seen = 0;
    for (Map.Entry<K, V> entry : map.entrySet()) {
      int i = number.applyAsInt(entry.getKey());
      assertThat(descending ? before - i : i - before).as("after %s: %s", before, i).isPositive();
      assertThat(entry.getValue()).isEqualTo(value.apply(i));
      assertThat(i % 10).isNotEqualTo(5);
      seen += i % 10 == 0 ? 1 : 0;
      before = i;
    }
    assertThat(seen).isEqualTo(bound / 10);
  }

  private static <K, V> void checkNeighbours(
      DurableSortedMap<K, V> map,
      int i,
      IntFunction<K> key,
      ToIntFunction<K> number,
      IntFunction<V> value) {
    int floor = number.applyAsInt(map.floorKey(key.apply(i)));
    assertThat(floor).isBetween(i - i % 10, i);
    Map.Entry<K, V> higher = map.higherEntry(key.apply(floor));
    if (floor < 2990) {
      assertThat(number.applyAsInt(higher.getKey())).isBetween(floor + 1, floor - floor % 10 + 10);
      assertThat(higher.getValue()).isEqualTo(value.apply(number.applyAsInt(higher.getKey())));
    }
    V found = map.get(key.apply(i));
    assertThat(found == null ? value.apply(i) : found).isEqualTo(value.apply(i));
    assertThat(found == null && i % 10 == 0).isFalse();
    assertThat(found != null && i % 10 == 5).isFalse();
  }

  private static String value(int i) {
    return "value of " + i + "x".repeat(i % 100);
  }
}
