package io.everheap.structure.sorted;

import io.everheap.Heap;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.heap.OpenHeap;
import java.util.ArrayList;
import java.util.List;

/** Where the parts of a sorted map or set are in the home file, for tests that damage them. */
public final class SortedPlaces {
  private final HeapMemory memory;
  private final long header;
  private final List<Long> leaves = new ArrayList<>();
  private final List<Long> inner = new ArrayList<>();

  private SortedPlaces(HeapMemory memory, long header) {
    this.memory = memory;
    this.header = header;
    long root = memory.getLong(header + SortedLayout.ROOT);
    if (root != 0) {
      collect(Reference.address(root));
    }
  }

  public static SortedPlaces of(Heap heap, long reference) {
    return new SortedPlaces(OpenHeap.engine(heap).memory(), Reference.address(reference));
  }

  private void collect(long node) {
    long info = memory.getLong(node + SortedLayout.INFO);
    if (SortedLayout.level(info) == 0) {
      leaves.add(node);
      return;
    }
    inner.add(node);
    for (int i = 0; i < SortedLayout.count(info); i++) {
      long order = memory.getLong(node + SortedLayout.ORDER + (i & ~7));
      long place = order >>> (8 * (i & 7)) & 0xff;
      collect(Reference.address(memory.getLong(node + SortedLayout.PAYLOADS + 8L * place)));
    }
  }

  public long header() {
    return header;
  }

  /** Addresses of the nodes that hold entries, in their order. */
  public List<Long> leaves() {
    return leaves;
  }

  /** Addresses of the nodes above, the root first. */
  public List<Long> inner() {
    return inner;
  }
}
