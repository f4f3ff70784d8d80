package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Handles without contents to show are shown by the name of their contract. */
class HandleTextsTest {
  @Test
  void arraysAndBuffersAreShownByTheirContracts() {
    try (Heap heap = Heap.inMemory()) {
      assertThat(heap.root("bytes", DurableBytes.of())).hasToString("DurableBytes[0 bytes]");
      assertThat(heap.root("array", DurableArray.of(String.class, 3)))
          .hasToString("DurableArray[3 elements]");
      assertThat(heap.root("longs", DurableLongArray.of(1, 2)).toString())
          .startsWith("DurableLongArray[2 elements at ");
      assertThat(heap.root("flags", DurableBooleanArray.ofLength(5)).toString())
          .startsWith("DurableBooleanArray[5 elements at ");
    }
  }

  @Test
  void aWorkQueueShowsItsElements() {
    try (Heap heap = Heap.inMemory()) {
      DurableWorkQueue<Long> queue = heap.workQueue("queue", Long.class);
      queue.addAll(List.of(1L, 2L));

      assertThat(queue).hasToString("[1, 2]");
    }
  }
}
