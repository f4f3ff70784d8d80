package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.heap.OpenHeap;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log grows with the heap, unless its size is configured. */
class LogGrowthTest {
  private static final long MIB = 1 << 20;

  @TempDir Path temp;

  @Test
  void aLargerHeapHasALongerLog() {
    Path directory = temp.resolve("h");
    try (Heap heap = Heap.open(directory)) {
      assertThat(heap.stats().logSize()).isEqualTo(64 * MIB);
      fill(heap, 150);
      heap.checkpoint();
      assertThat(heap.stats().logSize()).isEqualTo(heap.stats().capacity() / 2);
    }
    try (Heap heap = Heap.open(directory)) {
      assertThat(heap.stats().logSize()).isGreaterThan(75 * MIB);
      heap.map("values", Integer.class, byte[].class).clear();
      OpenHeap.engine(heap).drainHousekeeping();
      heap.shrink();
      heap.checkpoint();
      assertThat(heap.stats().logSize()).isEqualTo(64 * MIB);
    }
  }

  @Test
  void aConfiguredSizeStays() {
    try (Heap heap = Heap.builder(temp.resolve("h")).logSize(32 * MIB).open()) {
      fill(heap, 100);
      heap.checkpoint();
      assertThat(heap.stats().logSize()).isEqualTo(32 * MIB);
    }
  }

  private static void fill(Heap heap, int mebibytes) {
    DurableMap<Integer, byte[]> map = heap.map("values", Integer.class, byte[].class);
    for (int i = 0; i < mebibytes; i++) {
      map.set(i, new byte[1 << 20]);
    }
  }
}
