package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a removed map held is given back, at the latest after the heap was opened again. */
class HeapReclamationTest {
  @TempDir Path temp;

  /** Background tasks wait until the test asks for them. */
  private Heap open() {
    EngineOptions d = EngineOptions.defaults();
    EngineOptions onDemand =
        new EngineOptions(
            d.maxCapacity(),
            d.extentShift(),
            d.logSize(),
            d.segmentSize(),
            d.ringSize(),
            d.maxTransaction(),
            d.memoryBudget(),
            d.lockTimeoutNanos(),
            d.sync(),
            d.asyncNanos(),
            false);
    return HeapSettings.options(Heap.builder(temp.resolve("heap")), onDemand).open();
  }

  @Test
  void theBlocksOfALargeMapAreFreedAfterAReopen() {
    long before;
    try (Heap heap = open()) {
      heap.map("small", Long.class, Long.class).put(1L, 1L);
      before = blocks(heap);
      DurableMap<Long, Long> large = heap.map("large", Long.class, Long.class);
      Map<Long, Long> entries = new HashMap<>();
      for (long i = 0; i < 20_000; i++) {
        entries.put(i, i);
      }
      large.putAll(entries);
      heap.remove("large");
      assertThat(blocks(heap)).isGreaterThan(before + 20_000);
      assertThat(heap.verify().problems()).isEmpty();
    }
    try (Heap heap = open()) {
      OpenHeap.engine(heap).drainHousekeeping();
      assertThat(blocks(heap)).isLessThan(before + 10);
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.names()).containsExactly("small");
    }
  }

  private static long blocks(Heap heap) {
    return OpenHeap.engine(heap).allocator().stats().blocks();
  }
}
