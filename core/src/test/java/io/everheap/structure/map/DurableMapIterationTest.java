package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An iterator sees each entry that stays exactly once, whatever happens to the table meanwhile. */
class DurableMapIterationTest {
  private static Map<Long, Long> stable(int n) {
    return LongStream.range(0, n).boxed().collect(Collectors.toMap(i -> i, i -> -i));
  }

  private static void assertSeenOnce(List<Long> seen, int stable) {
    List<Long> kept = seen.stream().filter(key -> key >= 0 && key < stable).toList();
    assertThat(kept).doesNotHaveDuplicates().hasSize(stable);
    assertThat(seen).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 20, 63, 64, 100, 700})
  void whileTheTableGrows(int n) {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.putAll(stable(n));
      List<Long> seen = new ArrayList<>();
      long added = 1_000_000;
      for (Long key : map.keySet()) {
        seen.add(key);
        if (seen.size() < 3 * n) {
          for (int i = 0; i < 20; i++) {
            map.put(added++, 0L);
          }
        }
      }
      assertSeenOnce(seen, n);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 20, 63, 64, 100, 700, 3000})
  void whileTheTableIsClearedAndFilledAgain(int n) {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.putAll(stable(n));
      for (int clearAfter : new int[] {1, n / 4, n / 2, n - 1}) {
        List<Long> seen = new ArrayList<>();
        for (Long key : map.keySet()) {
          seen.add(key);
          if (seen.size() == clearAfter) {
            heap.transact(
                () -> {
                  map.clear();
                  map.putAll(stable(n));
                  return true;
                });
          }
        }
        assertSeenOnce(seen, n);
      }
    }
  }

  @Test
  void whileALargeMapIsClearedAndHoldsOnlyFewOfTheOldKeysAfterwards() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.putAll(stable(10));
      map.putAll(LongStream.range(1000, 21_000).boxed().collect(Collectors.toMap(i -> i, i -> i)));
      List<Long> seen = new ArrayList<>();
      for (Long key : map.keySet()) {
        seen.add(key);
        if (seen.size() == 5000) {
          heap.transact(
              () -> {
                map.clear();
                map.putAll(stable(10));
                return true;
              });
          heap.engine().drainHousekeeping();
        }
      }
      assertSeenOnce(seen, 10);
    }
  }

  @Test
  void whileOtherThreadsAddAndRemove() throws InterruptedException {
    int n = 500;
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.putAll(stable(n));
      AtomicBoolean stop = new AtomicBoolean();
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long i = 1_000_000; !stop.get(); i++) {
                      map.put(i, i);
                      map.remove(i - 300);
                      map.put(i % n, -(i % n));
                      if (i % 4096 == 0) {
                        heap.transact(
                            () -> {
                              map.clear();
                              map.putAll(stable(n));
                              return true;
                            });
                      }
                    }
                  });
      try {
        for (int round = 0; round < 300; round++) {
          List<Long> seen = new ArrayList<>();
          map.forEach(
              (key, value) -> {
                seen.add(key);
                assertThat(value).isEqualTo(key < n ? -key : key);
              });
          assertSeenOnce(seen, n);
        }
      } finally {
        stop.set(true);
        Limit.join(writer);
      }
    }
  }

  @Test
  void aSpliteratorIsSplitIntoPartsThatMakeUpTheWhole() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<String, Long> map = heap.map(STRING, LONG);
      for (long i = 0; i < 1000; i++) {
        map.put("key " + i, i);
      }
      List<Spliterator<String>> parts = new ArrayList<>(List.of(map.keySet().spliterator()));
      for (int i = 0; i < parts.size() && parts.size() < 50; i++) {
        Spliterator<String> prefix = parts.get(i).trySplit();
        if (prefix != null) {
          parts.add(prefix);
        }
      }
      assertThat(parts.stream().mapToLong(Spliterator::estimateSize).sum()).isBetween(990L, 1100L);
      List<String> seen = new ArrayList<>();
      parts.forEach(part -> part.forEachRemaining(seen::add));
      assertThat(seen).hasSize(1000).doesNotHaveDuplicates();
      assertThat(map.values().parallelStream().mapToLong(v -> v).sum()).isEqualTo(499_500);
    }
  }

  @Test
  void iteratorsFollowTheProtocolOfIterator() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.put(1L, 1L);
      Iterator<Long> keys = map.keySet().iterator();
      assertThatThrownBy(keys::remove).isInstanceOf(IllegalStateException.class);
      assertThat(keys.next()).isEqualTo(1L);
      keys.remove();
      assertThatThrownBy(keys::remove).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(keys::next).isInstanceOf(NoSuchElementException.class);
      assertThat(map).isEmpty();
    }
  }

  @Test
  void anIteratorSeesTheChangesOfItsOwnTransaction() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.putAll(stable(100));
      heap.transact(
          () -> {
            map.remove(5L);
            map.put(1000L, 1L);
            Set<Long> seen = new HashSet<>(map.keySet());
            assertThat(seen).hasSize(100).contains(1000L).doesNotContain(5L);
            return false;
          });
      assertThat(map.keySet()).contains(5L).doesNotContain(1000L);
    }
  }
}
