package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.collection.DurableMap;
import io.everheap.error.FullException;
import io.everheap.support.tier.Campaign;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables at every size up to some thousand buckets, and large ones. */
@Campaign
class DurableMapGrowthTest {
  @Test
  void everySizeUpToTwoThousandIsValid() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      for (long i = 0; i < 2000; i++) {
        assertThat(map.put(i, -i)).isNull();
        assertThat(map.sizeLong()).isEqualTo(i + 1);
        assertThat(map.get(i / 2)).isEqualTo(-(i / 2));
        heap.check();
      }
      for (long i = 0; i < 2000; i++) {
        assertThat(map.remove(i)).isEqualTo(-i);
        assertThat(map.containsKey(i)).isFalse();
      }
      assertThat(map).isEmpty();
    }
  }

  @Test
  void aMillionEntriesAreFoundAgain() {
    int n = 1_000_000;
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      Map<Long, Long> batch = new HashMap<>();
      for (long i = 0; i < n; i++) {
        batch.put(i, i * 7);
        if (batch.size() == 10_000) {
          map.putAll(batch);
          batch.clear();
        }
      }
      assertThat(map.sizeLong()).isEqualTo(n);
      for (long i = 0; i < n; i++) {
        if (map.get(i) != i * 7) {
          throw new AssertionError("key " + i + " has value " + map.get(i));
        }
      }
      assertThat(map.get((long) n)).isNull();
      assertThat(map.values().stream().mapToLong(v -> v).sum()).isEqualTo(7L * n * (n - 1L) / 2);
      heap.check();
      heap.destroy(map);
    }
  }

  @Test
  void growthInOneTransactionCanBeRolledBack() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<String, String> map = heap.map(STRING, STRING);
      map.put("stays", "here");
      heap.transact(
          () -> {
            for (int i = 0; i < 5000; i++) {
              map.put("key " + i, "value " + i);
            }
            assertThat(map).hasSize(5001);
            return false;
          });
      assertThat(map).containsExactly(Map.entry("stays", "here"));
      heap.check();
    }
  }

  @Test
  void aTableOfAReservedSizeHoldsWhatAGrownOneHolds() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      for (long entries : new long[] {0, 3, 9, 100, 511, 513, 3, 5000}) {
        map.put(entries, -entries);
        map.reserve(entries);
        heap.check();
      }
      for (long i = 0; i < 6000; i++) {
        map.put(i, -i);
      }
      assertThat(map).hasSize(6000);
      for (long i = 0; i < 6000; i++) {
        assertThat(map.get(i)).isEqualTo(-i);
      }
      heap.check();
    }
  }

  @Test
  void noEntryIsMovedWhileWhatWasReservedIsPut() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.reserve(2000);
      long blocks = heap.allocated();
      for (long i = 0; i < 2000; i++) {
        map.put(i, i);
      }
      assertThat(heap.allocated()).isEqualTo(blocks + 2000);
    }
  }

  @Test
  void aReservationCanBeRolledBack() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<String, String> map = heap.map(STRING, STRING);
      map.put("stays", "here");
      long blocks = heap.allocated();
      heap.transact(
          () -> {
            map.reserve(5000);
            return false;
          });
      assertThat(heap.allocated()).isEqualTo(blocks);
      assertThat(map).containsExactly(Map.entry("stays", "here"));
      heap.check();
    }
  }

  @Test
  void aReservationBeyondTheHeapLeavesAMapThatWorks() {
    try (MapHeap heap = MapHeap.inMemory(4 << 20)) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.put(1L, 1L);
      assertThatExceptionOfType(FullException.class).isThrownBy(() -> map.reserve(1 << 30));
      assertThat(map.get(1L)).isEqualTo(1L);
      heap.check();
    }
  }

  @Test
  void aNegativeNumberOfEntriesIsRefused() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> map.reserve(-1))
          .withMessageContaining("-1");
    }
  }

  @Test
  void valuesOfAllSizesAreReplacedByOthers() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<String, String> map = heap.map(STRING, STRING);
      for (int size = 0; size < 600; size++) {
        for (int other : new int[] {size, size + 1, size / 2, size / 3, 0, size * 3, size + 8}) {
          map.put("key", "a".repeat(size));
          map.put("key", "b".repeat(other));
          assertThat(map.get("key")).isEqualTo("b".repeat(other));
        }
        heap.check();
      }
    }
  }
}
