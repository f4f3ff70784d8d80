package io.everheap.jcache;

import static io.everheap.jcache.Caches.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import javax.cache.Cache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operations of one key are atomic, and those of several keys wait for no circle. */
class AtomicityTest {
  private static final int THREADS = 4;
  private static final int TIMES = 500;
  private static final List<String> KEYS = List.of("a", "b", "c", "d");

  @TempDir Path directory;

  private static void inThreads(Runnable task) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        all.add(CompletableFuture.runAsync(task, threads));
      }
      for (CompletableFuture<Void> each : all) {
        each.get();
      }
    }
  }

  @Test
  void processorsAndConditionsLoseNoUpdate() throws Exception {
    try (Caches caches = new Caches(directory)) {
      Cache<String, Integer> cache = caches.create("numbers", numbers());
      cache.putAll(Map.of("b", 0));
      inThreads(
          () -> {
            for (int i = 0; i < TIMES; i++) {
              cache.invoke(
                  "a",
                  (entry, arguments) -> {
                    entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
                    return null;
                  });
              int old = cache.get("b");
              while (!cache.replace("b", old, old + 1)) {
                old = cache.get("b");
              }
            }
          });
      assertThat(cache.get("a")).isEqualTo(THREADS * TIMES);
      assertThat(cache.get("b")).isEqualTo(THREADS * TIMES);
    }
  }

  @Test
  void operationsOfSeveralKeysEnd() throws Exception {
    try (Caches caches = new Caches(directory)) {
      Cache<String, Integer> cache = caches.create("numbers", numbers());
      inThreads(
          () -> {
            for (int i = 0; i < TIMES; i++) {
              List<String> keys = new ArrayList<>(KEYS);
              java.util.Collections.shuffle(keys, ThreadLocalRandom.current());
              Map<String, Integer> values = new HashMap<>();
              keys.subList(0, 3).forEach(key -> values.put(key, 1));
              cache.putAll(values);
              cache.removeAll(Set.copyOf(keys.subList(1, 4)));
              cache.clear();
            }
          });
      cache.removeAll();
      assertThat(cache).isEmpty();
    }
  }

  @Test
  void locksThatNoThreadUsesTakeNoMemory() {
    KeyLocks locks = new KeyLocks();
    byte[] key = {1};
    try (KeyLocks.Held _ = locks.lock(key);
        KeyLocks.Held _ = locks.lock(key.clone());
        KeyLocks.Held _ = locks.lockAll(List.of(new byte[] {2}, new byte[] {2}, key))) {
      assertThat(locks.isIdle()).isFalse();
    }
    assertThat(locks.isIdle()).isTrue();
  }
}
