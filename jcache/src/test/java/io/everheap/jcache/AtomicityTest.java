package io.everheap.jcache;

import static io.everheap.jcache.Caches.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.cache.Cache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations of one key are atomic, and those of several keys wait for no circle. */
@Campaign
class AtomicityTest {
  private static final int THREADS = 4;
  private static final int TIMES = 500;
  private static final List<String> KEYS = List.of("a", "b", "c", "d");

  @TempDir Path directory;

  private static void inThreads(Consumer<Random> task) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(Seeds.seed() + i);
        all.add(CompletableFuture.runAsync(() -> task.accept(random), threads));
      }
      for (CompletableFuture<Void> each : all) {
        Limit.get(each);
      }
    }
  }

  @Test
  void processorsAndConditionsLoseNoUpdate() throws Exception {
    try (Caches caches = new Caches(directory)) {
      Cache<String, Integer> cache = caches.create("numbers", numbers());
      cache.putAll(Map.of("b", 0));
      inThreads(
          random -> {
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
          random -> {
            for (int i = 0; i < TIMES; i++) {
              List<String> keys = new ArrayList<>(KEYS);
              java.util.Collections.shuffle(keys, random);
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
    List<byte[]> several = List.of(new byte[] {2}, new byte[] {2}, key);
    for (int i = 0; i < 2; i++) {
      boolean idle =
          locks.locked(
              key,
              a ->
                  locks.locked(
                      key.clone(),
                      b ->
                          locks.lockedAll(
                              several,
                              () ->
                                  locks.lockedAll(
                                      several, () -> locks.locked(key, c -> locks.isIdle())))));
      assertThat(idle).isFalse();
      assertThat(locks.isIdle()).isTrue();
      boolean idleInside = locks.lockedAll(several, () -> locks.locked(key, c -> locks.isIdle()));
      assertThat(idleInside).isFalse();
      assertThat(locks.isIdle()).isTrue();
    }
  }

  @Test
  void locksOfOneKeyAndOfSeveralExcludeEachOther() throws Exception {
    KeyLocks locks = new KeyLocks();
    int[] unguarded = new int[3];
    inThreads(
        random -> {
          for (int i = 0; i < 20 * TIMES; i++) {
            int at = random.nextInt(3);
            if (random.nextBoolean()) {
              locks.locked(new byte[] {(byte) at}, lock -> unguarded[at]++);
            } else {
              int other = (at + 1) % 3;
              locks.lockedAll(
                  List.of(new byte[] {(byte) at}, new byte[] {(byte) other}),
                  () -> locks.locked(new byte[] {(byte) at}, lock -> unguarded[at]++));
            }
          }
        });
    assertThat(unguarded[0] + unguarded[1] + unguarded[2]).isEqualTo(THREADS * 20 * TIMES);
    assertThat(locks.isIdle()).isTrue();
  }

  @Test
  void aThreadThatWaitsForALockKeepsItsPlace() throws Exception {
    KeyLocks locks = new KeyLocks();
    byte[] key = {1};
    Function<KeyLocks.Lock, KeyLocks.Lock> itself = lock -> lock;
    locks.locked(key, itself); // so that no other monitor, as of a class, blocks the thread below
    FutureTask<KeyLocks.Lock> second = new FutureTask<>(() -> locks.locked(key, itself));
    Thread waiting = Thread.ofPlatform().daemon().unstarted(second);
    KeyLocks.Lock first =
        locks.locked(
            key,
            lock -> {
              waiting.start();
              Limit.until(
                  "it waits for the lock", () -> waiting.getState() == Thread.State.BLOCKED);
              return lock;
            });
    assertThat(Limit.get(second)).isSameAs(first); // else others may overtake it
    assertThat(locks.isIdle()).isTrue();
  }

  /** Threads use locks at the ends of their stacks, wherever that is, and catch the errors. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noLockIsLeftAfterStackOverflowErrors(boolean several) throws Exception {
    KeyLocks locks = new KeyLocks();
    List<byte[]> keys = List.of(new byte[] {1}, new byte[] {2}, new byte[] {3});
    Runnable use =
        several
            ? () -> locks.lockedAll(keys, () -> depth(20))
            : () -> locks.locked(keys.getFirst(), lock -> depth(20));
    use.run();
    for (int i = 0; i < 300; i++) {
      Thread thread = new Thread(null, () -> useAtTheEnd(use), "small", 150_000 + i % 97 * 1_100L);
      thread.start();
      Limit.join(thread);
      FutureTask<Integer> after = new FutureTask<>(() -> locks.lockedAll(keys, () -> 7));
      Thread.ofPlatform().daemon().start(after);
      assertThat(Limit.get(after)).isEqualTo(7);
    }
  }

  private static int depth(int more) {
    return more == 0 ? 0 : 1 + depth(more - 1);
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private static int useAtTheEnd(Runnable use) {
    int left;
    try {
      left = useAtTheEnd(use);
    } catch (StackOverflowError e) {
      left = 60;
    }
    if (left > 0) {
      try {
        use.run();
      } catch (StackOverflowError e) {
        // caught, as programs do that mean well
      }
    }
    return left - 1;
  }
}
