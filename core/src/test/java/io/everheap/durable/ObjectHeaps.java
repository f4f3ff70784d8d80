package io.everheap.durable;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.HeapSettings;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;

/** Small heaps in directories, where nothing runs by itself. */
final class ObjectHeaps {
  private ObjectHeaps() {}

  static HeapBuilder builder(Path directory) {
    return HeapSettings.options(
        Heap.builder(directory).lookup(MethodHandles.lookup()),
        new EngineOptions(
            1L << 30,
            22,
            1 << 20,
            1 << 16,
            1 << 17,
            1L << 28,
            64 << 20,
            3_600_000_000_000L,
            true,
            0,
            false));
  }

  static Heap open(Path directory) {
    return builder(directory).open();
  }
}
