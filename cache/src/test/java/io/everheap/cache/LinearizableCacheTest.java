package io.everheap.cache;

import static io.everheap.cache.KeyHistory.one;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.KeyHistory.Effect;
import io.everheap.cache.KeyHistory.Operation;
import io.everheap.cache.KeyHistory.Outcome;
import io.everheap.support.Limit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What four threads do to the same few keys of a cache at once can be put into one order. */
class LinearizableCacheTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = Integer.getInteger("everheap.crash.effort", 1) * 800;
  private static final int OPERATIONS = 12; // of each thread in each round
  private static final int KEYS = 3; // new ones in each round
  private static final int PATIENCE = 2000; // of a loader, in rounds of a loop
  private static final long CAPACITY = 16 << 20; // nothing makes room
  private static final long STRIDE = 1_000_000; // larger than what is counted up

  @TempDir Path directory;

  private final AtomicLong clock = new AtomicLong();
  private final AtomicLong loads = new AtomicLong();
  private final Map<Integer, KeyHistory> histories = new ConcurrentHashMap<>();

  private interface Work {
    void on(int key, SplittableRandom random);
  }

  @Test
  void theMapOfACacheOfObjects() throws Exception {
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, CAPACITY, String.class, String.class)
            .blocks(BlockCacheBuilder::onFile)
            .open()) {
      hammer((key, random) -> operate(cache.asMap(), key, random));
      assertThat(cache.stats().evictions()).isZero();
    }
  }

  @Test
  void aCacheOfBlocks() throws Exception {
    try (BlockCache cache = BlockCache.builder(directory, CAPACITY).onFile().open()) {
      hammer((key, random) -> operate(cache, key, random));
      assertThat(cache.stats().evictions()).isZero();
    }
  }

  private void hammer(Work work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
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
                      work.on(round * KEYS + random.nextInt(KEYS), random);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> thread : running) {
        Limit.get(thread);
      }
    }
    histories.forEach(
        (key, history) ->
            assertThat(history.isLinearizable())
                .as("history of key %s: %s", key, history)
                .isTrue());
  }

  /** A number as a value whose length depends on it. */
  private static String value(long number) {
    return number + " " + "x".repeat((int) (number * 37 % 500));
  }

  private static @Nullable Long number(@Nullable String value) {
    return value == null ? null : Long.valueOf(value.substring(0, value.indexOf(' ')));
  }

  private void operate(ConcurrentMap<String, String> map, int k, SplittableRandom random) {
    String key = "key " + k;
    long a = random.nextInt(4);
    long b = random.nextInt(4);
    switch (random.nextInt(10)) {
      case 0, 1 -> record(k, "get", v -> one(v, v), () -> number(map.get(key)));
      case 2 -> record(k, "put " + a, v -> one(a, v), () -> number(map.put(key, value(a))));
      case 3 -> record(k, "remove", v -> one(null, v), () -> number(map.remove(key)));
      case 4 ->
          record(
              k,
              "putIfAbsent " + a,
              v -> one(v == null ? Long.valueOf(a) : v, v),
              () -> number(map.putIfAbsent(key, value(a))));
      case 5 ->
          record(
              k,
              "replace " + a,
              v -> one(v == null ? null : a, v),
              () -> number(map.replace(key, value(a))));
      case 6 ->
          record(
              k,
              "replace " + a + " by " + b,
              v -> Objects.equals(v, a) ? one(b, true) : one(v, false),
              () -> map.replace(key, value(a), value(b)));
      case 7 ->
          record(
              k,
              "compute plus one",
              v -> one(v == null ? 0 : v + 1, v == null ? 0 : v + 1),
              () -> number(map.compute(key, (x, v) -> value(v == null ? 0 : number(v) + 1))));
      case 8 -> record(k, "containsKey", v -> one(v, v != null), () -> map.containsKey(key));
      default -> load(map, k, key);
    }
  }

  /** A load is put only if the key was not changed meanwhile, and is returned to all that wait. */
  private void load(ConcurrentMap<String, String> map, int k, String key) {
    long loaded = loads.incrementAndGet() * STRIDE;
    boolean[] called = new boolean[1];
    long begin = clock.incrementAndGet();
    Long result =
        number(
            map.computeIfAbsent(
                key,
                x -> {
                  called[0] = true;
                  // So that others change the key meanwhile, if they do anything.
                  for (int i = 0; i < PATIENCE && clock.get() < begin + THREADS; i++) {
                    Thread.onSpinWait();
                  }
                  return value(loaded);
                }));
    long end = clock.incrementAndGet();
    Effect effect =
        called[0]
            ? v ->
                v != null
                    ? List.of()
                    : List.of(new Outcome(loaded, loaded), new Outcome(null, loaded))
            : v -> v == null ? List.of() : one(v, v);
    add(
        k,
        new Operation(
            "computeIfAbsent", effect, result, called[0] ? loaded : null, !called[0], begin, end));
  }

  private void operate(BlockCache cache, int k, SplittableRandom random) {
    byte[] key = Caches.key(k);
    long a = random.nextInt(4);
    switch (random.nextInt(6)) {
      case 0, 1, 2 ->
          record(
              k,
              "get",
              v -> one(v, v),
              () -> {
                byte[] block = Caches.get(cache, k);
                return block == null ? null : number(new String(block, StandardCharsets.UTF_8));
              });
      case 3 ->
          record(k, "put " + a, v -> one(a, true), () -> cache.put(key, Caches.key(value(a))));
      case 4 -> record(k, "invalidate", v -> one(null, v != null), () -> cache.invalidate(key));
      default -> record(k, "contains", v -> one(v, v != null), () -> cache.contains(key));
    }
  }

  private void record(int key, String name, Effect effect, Supplier<@Nullable Object> call) {
    long begin = clock.incrementAndGet();
    Object result = call.get();
    long end = clock.incrementAndGet();
    add(key, new Operation(name, effect, result, null, false, begin, end));
  }

  private void add(int key, Operation operation) {
    histories.computeIfAbsent(key, k -> new KeyHistory()).add(operation);
  }
}
