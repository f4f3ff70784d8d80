package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.BYTES;
import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.FullException;
import io.everheap.error.GoneException;
import io.everheap.structure.Structures;
import io.everheap.structure.common.FreesTask;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.PendingFrees;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Removing everything at once: complete, atomic, without leaks, at any size. */
@Campaign
class DurableMapClearTest {
  private static final int LARGE = 25_000; // freed in the background

  private static Map<Long, Long> entries(int n) {
    Map<Long, Long> entries = new HashMap<>();
    for (long i = 0; i < n; i++) {
      entries.put(i, i);
    }
    return entries;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 9, 64, 65, 513, 5000, LARGE})
  void clearLeavesNothing(int size) {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      long empty = heap.allocated();
      map.putAll(entries(size));
      map.clear();
      assertThat(map).isEmpty();
      assertThat(map.get(0L)).isNull();
      assertThat(map.keySet().iterator().hasNext()).isFalse();
      heap.check();
      heap.engine().drainHousekeeping();
      heap.check();
      assertThat(heap.allocated()).isEqualTo(empty);
      map.put(1L, 2L);
      assertThat(map).containsExactly(Map.entry(1L, 2L));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9, 5000, LARGE})
  void clearCanBeRolledBack(int size) {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.putAll(entries(size));
      heap.transact(
          () -> {
            map.clear();
            assertThat(map).isEmpty();
            map.put(-1L, -1L);
            return false;
          });
      heap.engine().drainHousekeeping();
      assertThat(new HashMap<>(map)).isEqualTo(entries(size));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9, 5000, LARGE})
  void aDestroyedMapLeavesNothingAndItsHandleIsStale(int size) {
    try (MapHeap heap = MapHeap.inMemory()) {
      long before = heap.allocated();
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.putAll(entries(size));
      var iterator = map.keySet().iterator();
      heap.destroy(map);
      assertThatThrownBy(() -> map.get(0L)).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> map.put(0L, 0L)).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> map.remove(0L)).isInstanceOf(GoneException.class);
      assertThatThrownBy(map::size).isInstanceOf(GoneException.class);
      assertThatThrownBy(map::clear).isInstanceOf(GoneException.class);
      assertThatThrownBy(iterator::next).isInstanceOf(GoneException.class);
      assertThatThrownBy(
              () -> HashKind.MAP.destroy(heap.context(), HeapStructureId.of(map).reference()))
          .isInstanceOf(GoneException.class);
      heap.check();
      heap.engine().drainHousekeeping();
      assertThat(heap.allocated()).isEqualTo(before);
    }
  }

  @Test
  void aMapDestroyedInARunningTransactionCannotBeUsedInItAndIsBackAfterARollBack() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.put(1L, 1L);
      heap.transact(
          () -> {
            HashKind.MAP.destroy(heap.context(), HeapStructureId.of(map).reference());
            assertThatThrownBy(() -> map.put(2L, 2L)).isInstanceOf(GoneException.class);
            return false;
          });
      assertThat(map.get(1L)).isEqualTo(1L);
    }
  }

  @Test
  void aMapWhoseCreationWasRolledBackIsStale() {
    try (MapHeap heap = MapHeap.inMemory()) {
      heap.engine().transactions().begin();
      long reference = HashKind.mapOf(LONG, LONG).create(heap.context(), new long[2]);
      var map = MapHandle.attach(heap.context(), reference, LONG, LONG);
      map.put(1L, 2L);
      heap.engine().transactions().end(false);
      assertThatThrownBy(() -> map.get(1L)).isInstanceOf(GoneException.class);
    }
  }

  @Test
  void aFullHeapCanBeClearedAndFilledAgain() {
    try (MapHeap heap = MapHeap.inMemory(4 << 20)) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      long first = fill(map);
      map.remove(0L);
      map.put(0L, 0L);
      map.clear();
      assertThat(map).isEmpty();
      heap.engine().drainHousekeeping();
      heap.check();
      assertThat(fill(map)).isGreaterThan(first * 9 / 10);
    }
  }

  @Test
  void aTableThatCouldNotGrowTakesEntriesAndCatchesUp() {
    try (MapHeap heap = MapHeap.inMemory(4 << 20)) {
      DurableMap<Long, byte[]> ballast = heap.map(LONG, BYTES);
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      map.putAll(entries(5));
      fillWithLargeValues(ballast);
      for (long i = 5; i < 3000; i++) {
        map.put(i, i);
      }
      assertThat(buckets(heap, map)).isLessThan(100);
      heap.check();
      ballast.clear();
      for (long i = 3000; i < 8000; i++) {
        map.put(i, i);
      }
      assertThat(new HashMap<>(map)).isEqualTo(entries(8000));
      assertThat(buckets(heap, map)).isEqualTo(8000);
    }
  }

  private static long buckets(MapHeap heap, DurableMap<?, ?> map) {
    long header = Reference.address(HeapStructureId.of(map).reference());
    return heap.engine().memory().getLong(header + MapLayout.BUCKETS);
  }

  private static void fillWithLargeValues(DurableMap<Long, byte[]> map) {
    for (int size = 100_000; size > 4000; size /= 2) {
      for (long i = 0; ; i++) {
        try {
          map.put(size * 1000L + i, new byte[size]);
        } catch (FullException e) {
          break;
        }
      }
    }
  }

  private static long fill(DurableMap<Long, Long> map) {
    for (long i = 0; ; i++) {
      try {
        map.put(i, i);
      } catch (FullException e) {
        assertThat(map.sizeLong()).isEqualTo(i);
        return i;
      }
    }
  }

  @Test
  void aKillBetweenAnyTwoStepsOfFreeingLosesNothing(@TempDir Path directory) {
    Path original = directory.resolve("heap");
    try (MapHeap heap = MapHeap.inFiles(original)) {
      DurableMap<Long, Long> map = heap.rootMap(LONG, LONG);
      map.putAll(entries(LARGE));
      DurableMap<String, byte[]> other = heap.map(STRING, BYTES);
      for (int i = 0; i < 20; i++) {
        other.put("key " + i, new byte[2 << 20 | i]);
      }
      map.clear();
      map.put(1L, 1L);
      heap.destroy(other);
      FreesTask frees = new FreesTask(Structures.of(heap.engine().context()), Structures.freers());
      for (int step = 0; frees.step(); step++) {
        if (step % 16 == 0) {
          reopenAndFree(original, directory.resolve("copy " + step));
        }
        heap.check();
      }
      assertThat(frees.step()).isFalse();
    }
  }

  private static void reopenAndFree(Path original, Path copy) {
    try (MapHeap survivor = MapHeap.afterKill(original, copy)) {
      DurableMap<Long, Long> map = survivor.root(LONG, LONG);
      assertThat(map).containsExactly(Map.entry(1L, 1L));
      survivor.check();
      new PendingFrees(Structures.of(survivor.engine().context())).resume();
      survivor.engine().drainHousekeeping();
      survivor.check();
      survivor.destroy(map);
      assertThat(survivor.allocated()).isZero();
    }
  }
}
