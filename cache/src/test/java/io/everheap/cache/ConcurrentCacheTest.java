package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that look up, pin, put, replace, remove and evict at the same time. */
@Campaign
class ConcurrentCacheTest {
  private static final int THREADS = 4;
  private static final int KEYS = 200;

  @TempDir Path directory;

  /** A block whose every byte depends on its key and its number. */
  private static byte[] block(int key, long number, int length) {
    byte[] block = new byte[24 + length];
    java.util.Arrays.fill(block, (byte) (key * 31L + number));
    ByteBuffer.wrap(block).putLong(key).putLong(number).putLong(length);
    return block;
  }

  private static void check(int key, BlockHandle handle) {
    byte[] found = handle.toArray();
    ByteBuffer buffer = ByteBuffer.wrap(found);
    assertThat(buffer.getLong()).isEqualTo(key);
    assertThat(found).isEqualTo(block(key, buffer.getLong(), (int) buffer.getLong()));
  }

  @ParameterizedTest
  @EnumSource(EvictionPolicy.class)
  void whatIsPinnedStaysWhole(EvictionPolicy policy) throws Exception {
    try (BlockCache cache =
        BlockCache.builder(directory, Caches.SMALL)
            .segmentSize(Caches.SEGMENT)
            .onFile()
            .policy(policy)
            .open()) {
      inThreads(thread -> work(cache, thread));
      assertThat(cache.stats().pinnedBytes()).isZero();
      assertThat(cache.stats().damaged()).isZero();
      cache.invalidateAll();
      CacheStats empty = cache.stats();
      assertThat(empty.entries()).isZero();
      long tables = 8L * (64 + 4096);
      assertThat(empty.usedBytes()).isLessThanOrEqualTo(8192 + 4096 + tables);
    }
  }

  private static void work(BlockCache cache, int thread) {
    Random random = new Random(thread);
    Deque<BlockHandle> pins = new ArrayDeque<>();
    Deque<Integer> pinned = new ArrayDeque<>();
    for (int i = 0; i < 40_000; i++) {
      int key = random.nextInt(random.nextInt(KEYS) + 1);
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> {
          int length = random.nextInt(random.nextInt(10) == 0 ? 20_000 : 1500);
          cache.put(key(key), block(key, i, length));
        }
        case 3 -> cache.invalidate(key(key));
        default -> {
          BlockHandle handle = cache.get(key(key));
          if (handle != null) {
            check(key, handle);
            pins.add(handle);
            pinned.add(key);
          }
        }
      }
      if (pins.size() > 5) {
        try (BlockHandle oldest = pins.remove()) {
          check(pinned.remove(), oldest);
        }
      }
    }
    pins.forEach(BlockHandle::close);
  }

  @Test
  void aKeyThatIsReplacedIsAlwaysFound() throws Exception {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      AtomicLongArray newest = new AtomicLongArray(4);
      for (int key = 0; key < 4; key++) {
        cache.put(key(key), block(key, 0, 100));
      }
      inThreads(
          thread -> {
            for (int i = 1; i < 20_000; i++) {
              int key = i % 4;
              if (thread == 0) {
                cache.put(key(key), block(key, i, i % 700));
                newest.set(key, i);
              } else {
                long before = newest.get(key);
                try (BlockHandle handle = cache.get(key(key))) {
                  assertThat(handle).isNotNull();
                  check(key, handle);
                  assertThat(
                          handle
                              .segment()
                              .get(
                                  ValueLayout.JAVA_LONG_UNALIGNED.withOrder(
                                      java.nio.ByteOrder.BIG_ENDIAN),
                                  8))
                      .isGreaterThanOrEqualTo(before);
                }
              }
            }
          });
    }
  }

  @Test
  void aCacheServesWhileItsBlocksAreRecovered() throws Exception {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int key = 0; key < KEYS; key++) {
        cache.put(key(key), block(key, 0, 1000));
      }
    }
    for (int round = 0; round < 20; round++) {
      try (BlockCache cache = BlockCache.builder(directory, Caches.SMALL).onFile().open()) {
        int first = round;
        inThreads(
            thread -> {
              for (int i = 0; i < KEYS; i++) {
                int key = (i + thread) % KEYS;
                if ((key + first) % 7 == 0) {
                  cache.put(key(key), block(key, first, 1000));
                }
                try (BlockHandle handle = cache.get(key(key))) {
                  if (handle != null) {
                    check(key, handle);
                  }
                }
              }
            });
        cache.awaitIndexed();
        CacheStats found = cache.stats();
        // A put does not wait for what is free in segments that were not read yet.
        assertThat(found.entries())
            .as("all but those that shared a bit of the map of removals with what was put")
            .isBetween(KEYS - 20L - found.evictions(), (long) KEYS);
        for (int key = 0; found.evictions() > 0 && key < KEYS; key++) {
          cache.put(key(key), block(key, 0, 1000)); // what is lost does not add up over rounds
        }
      }
    }
  }

  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inThreads(Work work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        all.add(
            threads.submit(
                () -> {
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> each : all) {
        try {
          Limit.get(each);
        } catch (ExecutionException e) {
          throw new AssertionError(e.getCause());
        }
      }
    }
  }

  @Test
  void oneThreadLoadsForAllThatAskAtTheSameTime() throws Exception {
    int rounds = 3000;
    AtomicInteger loads = new AtomicInteger();
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    try (DurableCache<Integer, Integer> cache =
        DurableCache.builder(directory, 16 << 20, Integer.class, Integer.class)
            .blocks(BlockCacheBuilder::onFile)
            .open()) {
      inThreads(
          thread -> {
            for (int round = 0; round < rounds; round++) {
              int key = round;
              barrier.await(Limit.seconds(), TimeUnit.SECONDS);
              Integer found =
                  key % 2 == 0
                      ? cache.get(key, k -> k + loads.incrementAndGet() * 10_000)
                      : cache.getAsync(key, k -> k + loads.incrementAndGet() * 10_000).join();
              assertThat(found % 10_000).isEqualTo(key);
              assertThat(cache.getIfPresent(key)).isEqualTo(found);
            }
          });
      assertThat(loads).hasValue(rounds);
      assertThat(cache.stats().loads()).isEqualTo(rounds);
    }
  }
}
