package io.everheap.heap;

import io.everheap.engine.Engine;
import io.everheap.memory.Internals;
import io.everheap.structure.common.StructureContext;

/**
 * The {@link Internals} of an open heap, for the modules of this project. Thread-safe.
 *
 * @param engine of the heap
 * @param structures the context of its structures
 */
public record OpenHeap(Engine engine, StructureContext structures) {
  /** Returns the engine of a {@code Heap}. */
  public static Engine engine(Object heap) {
    return Internals.of(heap, OpenHeap.class).engine;
  }

  /** Returns the context of the structures of a {@code Heap}. */
  public static StructureContext structures(Object heap) {
    return Internals.of(heap, OpenHeap.class).structures;
  }
}
