package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.structure.map.Linearizability.Effect;
import io.everheap.structure.map.Linearizability.Operation;
import io.everheap.structure.map.Linearizability.Outcome;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What four threads do to the same few keys at once can be put into one order. */
class DurableMapLinearizabilityTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 1200;
  private static final int OPERATIONS = 12; // of each thread in each round
  private static final int KEYS = 3; // new ones in each round

  private final AtomicLong clock = new AtomicLong();
  private final Map<Integer, ConcurrentLinkedQueue<Operation>> histories =
      new ConcurrentHashMap<>();

  @Test
  void wordsToWords() throws Exception {
    hammer(LONG, LONG, i -> (long) i, v -> v, v -> v);
  }

  @Test
  void bytesToBytesOfChangingLength() throws Exception {
    hammer(
        STRING,
        STRING,
        i -> "key " + i,
        v -> v + " " + "x".repeat((int) (v * 37 % 500)),
        v -> v == null ? null : Long.valueOf(v.substring(0, v.indexOf(' '))));
  }

  private <K, V> void hammer(
      Codec<K> keys,
      Codec<V> values,
      Function<Integer, K> key,
      Function<Long, V> value,
      Function<V, Long> number)
      throws Exception {
    try (MapHeap heap = MapHeap.inMemory();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      DurableMap<K, V> map = heap.map(keys, values);
      CyclicBarrier barrier = new CyclicBarrier(THREADS);
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        running.add(
            threads.submit(
                () -> {
                  SplittableRandom random = new SplittableRandom(thread);
                  for (int round = 0; round < ROUNDS; round++) {
                    barrier.await(Limit.seconds(), TimeUnit.SECONDS);
                    for (int i = 0; i < OPERATIONS; i++) {
                      int k = round * KEYS + random.nextInt(KEYS);
                      operate(map, random, k, key.apply(k), value, number);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> thread : running) {
        Limit.get(thread);
      }
      histories.forEach(
          (k, history) ->
              assertThat(Linearizability.isLinearizable(List.copyOf(history)))
                  .as("history of key %s: %s", k, history)
                  .isTrue());
    }
  }

  private <K, V> void operate(
      DurableMap<K, V> map,
      SplittableRandom random,
      int k,
      K key,
      Function<Long, V> value,
      Function<V, Long> number) {
    long a = random.nextInt(4);
    long b = random.nextInt(4);
    switch (random.nextInt(9)) {
      case 0, 1 -> record(k, "get", v -> new Outcome(v, v), () -> number.apply(map.get(key)));
      case 2 ->
          record(
              k,
              "put " + a,
              v -> new Outcome(a, v),
              () -> number.apply(map.put(key, value.apply(a))));
      case 3 -> record(k, "remove", v -> new Outcome(null, v), () -> number.apply(map.remove(key)));
      case 4 ->
          record(
              k,
              "putIfAbsent " + a,
              v -> new Outcome(v == null ? Long.valueOf(a) : v, v),
              () -> number.apply(map.putIfAbsent(key, value.apply(a))));
      case 5 ->
          record(
              k,
              "replace " + a,
              v -> new Outcome(v == null ? null : a, v),
              () -> number.apply(map.replace(key, value.apply(a))));
      case 6 ->
          record(
              k,
              "replace " + a + " by " + b,
              v -> Objects.equals(v, a) ? new Outcome(b, true) : new Outcome(v, false),
              () -> map.replace(key, value.apply(a), value.apply(b)));
      case 7 ->
          record(
              k,
              "compute plus one",
              v -> new Outcome(v == null ? 0 : v + 1, v == null ? 0 : v + 1),
              () ->
                  number.apply(
                      map.compute(
                          key, (x, v) -> value.apply(v == null ? 0L : number.apply(v) + 1))));
      default ->
          record(k, "containsKey", v -> new Outcome(v, v != null), () -> map.containsKey(key));
    }
  }

  private void record(int key, String name, Effect effect, Supplier<Object> call) {
    long begin = clock.incrementAndGet();
    Object result = call.get();
    long end = clock.incrementAndGet();
    histories
        .computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>())
        .add(new Operation(name, effect, result, begin, end));
  }
}
