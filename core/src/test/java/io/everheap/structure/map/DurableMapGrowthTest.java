package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables at every size up to some thousand buckets, and large ones. */
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
