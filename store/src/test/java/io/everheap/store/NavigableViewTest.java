package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The view of a sorted map while several threads use it and the number of shards changes. */
class NavigableViewTest {
  private static final int THREADS = 3;

  @TempDir Path directory;

  private ShardedStore open() {
    return ShardedStore.builder(directory)
        .shards(3)
        .durability(Durability.async(Duration.ofMillis(10)))
        .open();
  }

  private static ConcurrentNavigableMap<Long, String> filled(ShardedStore store, long entries) {
    ShardedSortedMap<Long, String> map = store.sortedMap("map", Long.class, String.class);
    LongStream.range(0, entries).forEach(key -> map.set(key, "value " + key));
    return map.asMap();
  }

  /** Runs tasks in parallel; all of them end, or the first failure is thrown. */
  private static void parallel(List<Callable<Void>> tasks) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(tasks.size())) {
      for (Future<Void> done : executor.invokeAll(tasks)) {
        Limit.get(done);
      }
    }
  }

  @Test
  void eachEntryIsPolledOnceAndInOrder() throws Exception {
    try (ShardedStore store = open()) {
      ConcurrentNavigableMap<Long, String> map = filled(store, 3000);
      ConcurrentLinkedQueue<Long> all = new ConcurrentLinkedQueue<>();
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        boolean first = i % 2 == 0;
        tasks.add(
            () -> {
              List<Long> mine = new ArrayList<>();
              while (true) {
                Map.Entry<Long, String> entry = first ? map.pollFirstEntry() : map.pollLastEntry();
                if (entry == null) {
                  break;
                }
                mine.add(entry.getKey());
              }
              // Nothing is put meanwhile, so a later entry is never before an earlier one.
              assertThat(mine)
                  .isSortedAccordingTo(first ? Long::compare : (a, b) -> b.compareTo(a));
              all.addAll(mine);
              return null;
            });
      }
      tasks.add(
          () -> {
            store.reshard(5);
            store.reshard(2);
            return null;
          });
      parallel(tasks);
      assertThat(all).hasSize(3000).doesNotHaveDuplicates();
      assertThat(map).isEmpty();
      assertThat(store.verify().ok()).isTrue();
    }
    try (ShardedStore store = open()) {
      assertThat(store.sortedMap("map", Long.class, String.class).asMap()).isEmpty();
    }
  }

  @Test
  void rangesAreWholeWhileKeysMove() throws Exception {
    try (ShardedStore store = open()) {
      ConcurrentNavigableMap<Long, String> map = filled(store, 1000);
      AtomicBoolean moved = new AtomicBoolean();
      List<Long> wanted = LongStream.range(200, 700).boxed().toList();
      Callable<Void> reader =
          () -> {
            do {
              NavigableMap<Long, String> part = map.subMap(200L, true, 700L, false);
              assertThat(List.copyOf(part.keySet())).isEqualTo(wanted);
              assertThat(List.copyOf(part.descendingKeySet())).isEqualTo(wanted.reversed());
              assertThat(part.firstKey()).isEqualTo(200L);
              assertThat(part.lastKey()).isEqualTo(699L);
              assertThat(part.higherKey(699L)).isNull();
              assertThat(part.lowerKey(200L)).isNull();
            } while (!moved.get());
            return null;
          };
      Callable<Void> mover =
          () -> {
            try {
              for (int i = 0; i < 4; i++) {
                store.reshard(6);
                store.reshard(2);
              }
            } finally {
              moved.set(true);
            }
            return null;
          };
      parallel(List.of(reader, reader, mover));
    }
  }

  @Test
  void aRangeRefusesOtherKeys() {
    try (ShardedStore store = open()) {
      ConcurrentNavigableMap<Long, String> map = filled(store, 10);
      ConcurrentNavigableMap<Long, String> part = map.subMap(2L, 5L);
      assertThat(part.put(3L, "new")).isEqualTo("value 3");
      assertThat(map).containsEntry(3L, "new");
      assertThatThrownBy(() -> part.put(5L, "x")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> part.compute(1L, (k, v) -> "x"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> part.tailMap(6L)).isInstanceOf(IllegalArgumentException.class);
      assertThat(part.remove(7L)).isNull();
      assertThat(part.replace(7L, "x")).isNull();
      part.clear();
      assertThat(map).hasSize(7).containsKeys(1L, 5L, 7L);
      assertThatThrownBy(() -> store.read(map::pollFirstEntry))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
