package io.everheap.benchmarks.store;

import io.everheap.Heap;
import io.everheap.collection.DurableSortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A {@link DurableSortedMap} of this library. */
public final class EverheapSortedBinding implements Binding {
  /** Makes the binding. */
  public EverheapSortedBinding() {}

  @Override
  public Store open(Opening opening) {
    Heap heap = EverheapBinding.heap(opening);
    return new SortedStore(heap, heap.sortedMap("records", String.class, byte[].class));
  }

  private record SortedStore(Heap heap, DurableSortedMap<String, byte[]> map) implements HeapStore {
    @Override
    public byte @Nullable [] get(String key) {
      return map.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      map.put(key, value);
    }

    @Override
    public void scan(String first, int count, Consumer<byte[]> values) {
      SkipListBinding.scan(map, first, count, values);
    }
  }
}
