package io.everheap.benchmarks.store;

import io.everheap.Heap;
import java.util.List;

/** A store in a heap of this library. */
interface HeapStore extends Store {
  /** The heap. */
  Heap heap();

  @Override
  default void putAll(List<String> keys, List<byte[]> values) {
    heap()
        .transact(
            () -> {
              for (int i = 0; i < keys.size(); i++) {
                put(keys.get(i), values.get(i));
              }
            });
  }

  @Override
  default void close() {
    heap().close();
  }
}
