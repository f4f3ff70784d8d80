package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.heap.OpenHeap;
import org.junit.jupiter.api.Test;

/** What a snapshot keeps, and when it gives up. */
class SnapshotTest {
  @Test
  void aBlockThatIsLargerThanTheBudgetIsGivenUpAtOnce() {
    try (Heap heap = Heap.inMemory()) {
      Transactions transactions = OpenHeap.engine(heap).transactions();
      Snapshot[] snapshot = new Snapshot[1];
      heap.transact(() -> snapshot[0] = transactions.snapshot(1 << 16));
      heap.transact(() -> snapshot[0].block(0, 1L << 60));
      assertThat(snapshot[0].lost()).isTrue();
      assertThat(snapshot[0].savedBytes()).isZero();
      transactions.quiesced(transactions::dropSnapshot);
    }
  }

  @Test
  void whatIsOverwrittenIsReadAsItWas() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<Integer, Integer> map = heap.map("map", Integer.class, Integer.class);
      map.put(1, 10);
      Transactions transactions = OpenHeap.engine(heap).transactions();
      Snapshot[] snapshot = new Snapshot[1];
      heap.transact(() -> snapshot[0] = transactions.snapshot(1 << 20));
      long before = sum(heap, snapshot[0].memory());
      map.put(1, 11);
      map.put(2, 20);
      assertThat(sum(heap, snapshot[0].memory())).isEqualTo(before);
      assertThat(sum(heap, OpenHeap.engine(heap).memory())).isNotEqualTo(before);
      assertThat(snapshot[0].savedBytes()).isPositive();
      transactions.quiesced(transactions::dropSnapshot);
    }
  }

  private static long sum(Heap heap, HeapMemory memory) {
    long sum = 0;
    for (long address = 0; address < OpenHeap.engine(heap).superblock().capacity(); address += 8) {
      sum = 31 * sum + memory.getLong(address);
    }
    return sum;
  }
}
