package io.everheap.heap;

import io.everheap.engine.Engine;
import io.everheap.structure.common.StructureContext;

/** Access to the engine behind an open heap, for the modules of this project. Thread-safe. */
public final class OpenHeap {
  private OpenHeap() {}

  /** The engine of a heap. */
  public static Engine engine(Parts heap) {
    return heap.engine;
  }

  /** The context of the heap's structures. */
  public static StructureContext structures(Parts heap) {
    return heap.structures;
  }

  /**
   * The superclass of {@code Heap}. Its fields are private and have no accessors, so users cannot
   * reach them through the heap's class.
   *
   * @hidden
   */
  @SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
  public abstract static class Parts {
    private final Engine engine;
    private final StructureContext structures;

    /** Sets the parts of an open heap. */
    protected Parts(Engine engine, StructureContext structures) {
      this.engine = engine;
      this.structures = structures;
    }
  }
}
