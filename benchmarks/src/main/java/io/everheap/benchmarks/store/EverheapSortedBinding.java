package io.everheap.benchmarks.store;

import io.everheap.Heap;
import io.everheap.collection.DurableSortedMap;
import java.util.function.Consumer;

/** A {@link DurableSortedMap} of this library. */
public final class EverheapSortedBinding implements Binding {
  /** Makes the binding. */
  public EverheapSortedBinding() {}

  @Override
  public Store open(Opening opening) {
    Heap heap = EverheapBinding.heap(opening);
    return new SortedStore(heap, heap.sortedMap("records", String.class, byte[].class));
  }

  private static final class SortedStore extends EverheapBinding.MapStore {
    private final DurableSortedMap<String, byte[]> map;

    SortedStore(Heap heap, DurableSortedMap<String, byte[]> map) {
      super(heap, map);
      this.map = map;
    }

    @Override
    public void scan(String first, int count, Consumer<byte[]> values) {
      int left = count;
      for (byte[] value : map.tailMap(first).values()) {
        if (left-- == 0) {
          return;
        }
        values.accept(value);
      }
    }
  }
}
