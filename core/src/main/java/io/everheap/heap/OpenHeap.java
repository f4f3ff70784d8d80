package io.everheap.heap;

import io.everheap.engine.Engine;
import io.everheap.structure.common.StructureContext;

/**
 * What stands behind an open heap, which extends this so that users do not see it.
 *
 * @hidden
 */
@SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
public abstract class OpenHeap {
  private final Engine engine;
  private final StructureContext structures;

  /** An open heap. */
  protected OpenHeap(Engine engine, StructureContext structures) {
    this.engine = engine;
    this.structures = structures;
  }

  /**
   * The engine of a heap.
   *
   * @hidden
   */
  public static Engine engine(OpenHeap heap) {
    return heap.engine;
  }

  /**
   * What the structures of a heap are built on.
   *
   * @hidden
   */
  public static StructureContext structures(OpenHeap heap) {
    return heap.structures;
  }
}
