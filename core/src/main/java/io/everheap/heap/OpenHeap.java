package io.everheap.heap;

import io.everheap.engine.Engine;
import io.everheap.structure.common.StructureContext;

/** What stands behind an open heap, for the modules of this project. */
public final class OpenHeap {
  private OpenHeap() {}

  /** The engine of a heap. */
  public static Engine engine(Parts heap) {
    return heap.engine;
  }

  /** What the structures of a heap are built on. */
  public static StructureContext structures(Parts heap) {
    return heap.structures;
  }

  /**
   * The superclass of the heap. It hands nothing on by inheritance, so users can reach neither part
   * through the heap's class.
   *
   * @hidden
   */
  @SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
  public abstract static class Parts {
    private final Engine engine;
    private final StructureContext structures;

    /** An open heap. */
    protected Parts(Engine engine, StructureContext structures) {
      this.engine = engine;
      this.structures = structures;
    }
  }
}
