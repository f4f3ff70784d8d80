package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.BYTES;
import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.error.FullException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Readers meet commits at every moment and never see a part of one. */
@Campaign
class DurableMapConcurrencyTest {
  @Test
  void readersNeverSeeATornOrForeignValue() throws Exception {
    int keys = 40;
    try (MapHeap heap = MapHeap.inMemory();
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      DurableMap<Long, byte[]> map = heap.map(LONG, BYTES);
      AtomicBoolean stop = new AtomicBoolean();
      List<Future<?>> readers = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        readers.add(
            threads.submit(
                () -> {
                  while (!stop.get()) {
                    for (long k = 0; k < keys; k++) {
                      byte[] value = map.get(k);
                      if (value != null) {
                        requireUniform(k, value);
                      }
                    }
                  }
                }));
      }
      try {
        for (int i = 0; i < 40_000; i++) {
          long k = i * 7L % keys;
          byte[] value = new byte[i * 31 % 900 + 1];
          Arrays.fill(value, (byte) k);
          map.put(k, value);
          if (i % 13 == 0) {
            map.remove((i * 3L) % keys);
          }
          map.put(1_000_000L + i, new byte[8]); // the table grows all the while
          if (i % 10_000 == 0) {
            map.clear();
            heap.engine().drainHousekeeping();
          }
        }
      } finally {
        stop.set(true);
      }
      for (Future<?> reader : readers) {
        Limit.get(reader);
      }
    }
  }

  private static void requireUniform(long key, byte[] value) {
    for (byte b : value) {
      if (b != (byte) key) {
        throw new AssertionError("key " + key + " has a value with the byte " + b);
      }
    }
  }

  @Test
  void aKeyAtTheEndOfALongChainIsAlwaysFoundWhileNodesMoveToAnotherMap() throws Exception {
    moveNodesUnderAReader(LONG, i -> (long) i);
  }

  @Test
  void aTextAtTheEndOfALongChainIsAlwaysFoundWhileNodesMoveToAnotherMap() throws Exception {
    moveNodesUnderAReader(STRING, i -> Integer.toString(100_000 + i));
  }

  /**
   * Two maps of one chain each in a full heap. What is removed from the one leaves the only free
   * block, which the other one takes for its own chain: a reader who did not validate would end up
   * there.
   */
  private static <K> void moveNodesUnderAReader(Codec<K> keys, IntFunction<K> key)
      throws Exception {
    int nodes = 150;
    K stable = key.apply(nodes);
    try (MapHeap heap = MapHeap.inMemory(2 << 20);
        ExecutorService threads = Executors.newFixedThreadPool(1)) {
      DurableMap<K, Long> map = heap.map(keys, LONG, 0);
      DurableMap<K, Long> other = heap.map(keys, LONG, 0);
      map.put(stable, 77L); // the first one stays at the end of the chain
      for (int i = 0; i < nodes; i++) {
        map.put(key.apply(i), (long) i);
      }
      fill(heap.map(keys, LONG), key);
      AtomicBoolean stop = new AtomicBoolean();
      Future<?> reader =
          threads.submit(
              () -> {
                while (!stop.get()) {
                  requireStable(map.get(stable));
                  requireStable(map.containsKey(stable) ? map.getOrDefault(stable, 0L) : null);
                }
              });
      try {
        for (int i = 0; i < 60_000; i++) {
          boolean away = i / nodes % 2 == 0;
          DurableMap<K, Long> from = away ? map : other;
          DurableMap<K, Long> to = away ? other : map;
          K moved = key.apply(i * 31 % nodes);
          from.remove(moved);
          to.put(moved, -1L);
        }
      } finally {
        stop.set(true);
      }
      Limit.get(reader);
    }
  }

  private static <K> void fill(DurableMap<K, Long> map, IntFunction<K> key) {
    for (int i = 0; ; i++) {
      try {
        map.put(key.apply(100_000 + i), (long) i);
      } catch (FullException e) {
        return;
      }
    }
  }

  private static void requireStable(Long value) {
    if (value == null || value != 77) {
      throw new AssertionError("the stable key has the value " + value);
    }
  }

  @Test
  void largeValuesAreReadWhole() throws Exception {
    try (MapHeap heap = MapHeap.inMemory();
        ExecutorService threads = Executors.newFixedThreadPool(1)) {
      DurableMap<Long, byte[]> map = heap.map(LONG, BYTES);
      map.put(5L, new byte[0]);
      AtomicBoolean stop = new AtomicBoolean();
      Future<?> reader =
          threads.submit(
              () -> {
                while (!stop.get()) {
                  byte[] value = map.get(5L);
                  for (int i = 1; i < value.length; i++) {
                    if (value[i] != value[0]) {
                      throw new AssertionError("torn at byte " + i + " of " + value.length);
                    }
                  }
                }
              });
      try {
        for (int i = 0; i < 40; i++) {
          byte[] value = new byte[(1 << 20) + i * 50_000];
          Arrays.fill(value, (byte) i);
          map.put(5L, value);
        }
      } finally {
        stop.set(true);
      }
      Limit.get(reader);
    }
  }

  @Test
  void noIncrementIsLost() throws Exception {
    long threadCount = 4;
    int each = 3000;
    try (MapHeap heap = MapHeap.inMemory();
        ExecutorService threads = Executors.newFixedThreadPool((int) threadCount)) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < threadCount; t++) {
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    map.merge((long) (i % 10), 1L, Long::sum);
                  }
                }));
      }
      for (Future<?> thread : running) {
        Limit.get(thread);
      }
      assertThat(map.values().stream().mapToLong(v -> v).sum()).isEqualTo(threadCount * each);
    }
  }
}
