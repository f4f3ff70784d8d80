package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.MediumSetting;
import io.everheap.memory.MemoryMedium;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What four threads do to the same few keys at once can be put into one order, while the number of
 * shards changes.
 */
class LinearizableStoreTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = Integer.getInteger("everheap.crash.effort", 1) * 300;
  private static final int OPERATIONS = 10; // of each thread in each round
  private static final int KEYS = 3; // new ones in each round

  private final AtomicLong clock = new AtomicLong();
  private final Map<Integer, ConcurrentLinkedQueue<Operation>> histories =
      new ConcurrentHashMap<>();

  /** The value after an operation, and its result. */
  private record Outcome(@Nullable Long value, @Nullable Object result) {}

  private record Operation(
      String name,
      Function<@Nullable Long, Outcome> effect,
      @Nullable Object result,
      long begin,
      long end) {}

  private record State(long done, @Nullable Long value) {}

  @Test
  void operationsOnOneKeyHaveAnOrder() throws Exception {
    try (ShardedStore store =
        MediumSetting.withoutThreads(
                MediumSetting.medium(
                    ShardedStore.builder(Path.of("memory"))
                        .shards(2)
                        .heaps(heap -> heap.maxSize(64 << 20).logSize(16 << 20)),
                    new MemoryMedium()))
            .open()) {
      ShardedMap<Integer, Long> map = store.map("map", Integer.class, Long.class);
      for (int i = 0; i < 200; i++) {
        map.set(-1 - i, 0L); // so that a change takes its time
      }
      var done = new AtomicBoolean();
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1)) {
        Future<?> resharding =
            threads.submit(
                () -> {
                  for (int i = 0; !done.get(); i++) {
                    store.reshard(1 + i % 4);
                  }
                });
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
                        operate(store, map, round * KEYS + random.nextInt(KEYS), random);
                      }
                    }
                    return null;
                  }));
        }
        try {
          for (Future<?> thread : running) {
            Limit.get(thread);
          }
        } finally {
          done.set(true);
        }
        Limit.get(resharding);
      }
    }
    histories.forEach(
        (key, history) ->
            assertThat(isLinearizable(List.copyOf(history)))
                .as("history of key %s: %s", key, history)
                .isTrue());
  }

  private void operate(
      ShardedStore store, ShardedMap<Integer, Long> map, int key, SplittableRandom random) {
    Long a = random.nextLong(4);
    Long b = random.nextLong(4);
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> record(key, "get", v -> new Outcome(v, v), () -> map.get(key));
      case 3 -> record(key, "put " + a, v -> new Outcome(a, v), () -> map.put(key, a));
      case 4 -> record(key, "remove", v -> new Outcome(null, v), () -> map.remove(key));
      case 5 ->
          record(
              key,
              "removeAsync",
              v -> new Outcome(null, v),
              () -> map.removeAsync(key).toCompletableFuture().join());
      case 6 ->
          record(
              key,
              "putIfAbsent " + a,
              v -> new Outcome(v == null ? a : v, v),
              () -> map.putIfAbsent(key, a));
      case 7 ->
          record(
              key,
              "replace " + a + " by " + b,
              v -> a.equals(v) ? new Outcome(b, true) : new Outcome(v, false),
              () -> map.replace(key, a, b));
      case 8 ->
          record(
              key,
              "add " + a,
              v -> new Outcome(v == null ? a : v + a, v == null ? a : v + a),
              () -> map.merge(key, a, Long::sum));
      default ->
          record(
              key,
              "batch " + a,
              v -> new Outcome(a, null),
              () -> {
                store.batch().put(map, key, a).put(map, -1 - random.nextInt(200), 0L).commit();
                return null;
              });
    }
  }

  private void record(
      int key,
      String name,
      Function<@Nullable Long, Outcome> effect,
      Supplier<@Nullable Object> operation) {
    long begin = clock.incrementAndGet();
    Object result = operation.get();
    histories
        .computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>())
        .add(new Operation(name, effect, result, begin, clock.incrementAndGet()));
  }

  /** The search of Wing and Gong, JPDC 1993, with Lowe's memory of the states already tried. */
  private static boolean isLinearizable(List<Operation> history) {
    assertThat(history).hasSizeLessThanOrEqualTo(Long.SIZE);
    return search(history, 0, null, new HashSet<>());
  }

  private static boolean search(
      List<Operation> history, long done, @Nullable Long value, Set<State> tried) {
    if (Long.bitCount(done) == history.size()) {
      return true;
    }
    if (!tried.add(new State(done, value))) {
      return false;
    }
    long firstEnd = Long.MAX_VALUE;
    for (int i = 0; i < history.size(); i++) {
      if ((done & 1L << i) == 0) {
        firstEnd = Math.min(firstEnd, history.get(i).end());
      }
    }
    for (int i = 0; i < history.size(); i++) {
      Operation next = history.get(i);
      if ((done & 1L << i) == 0 && next.begin() < firstEnd) {
        Outcome outcome = next.effect().apply(value);
        if (Objects.equals(outcome.result(), next.result())
            && search(history, done | 1L << i, outcome.value(), tried)) {
          return true;
        }
      }
    }
    return false;
  }
}
