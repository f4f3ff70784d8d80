package io.everheap.structure.common;

import io.everheap.collection.Structure;
import io.everheap.collection.StructureId;
import io.everheap.engine.alloc.Reference;

/**
 * Which structure of which open heap a handle stands for.
 *
 * @param heap that holds it
 * @param reference of the structure's header
 */
public record HeapStructureId(StructureContext heap, long reference) implements StructureId {
  /**
   * Which structure a handle stands for.
   *
   * @throws IllegalArgumentException if it is no handle of this library
   */
  public static HeapStructureId of(Structure structure) {
    if (structure.id() instanceof HeapStructureId id) {
      return id;
    }
    throw new IllegalArgumentException(
        structure.getClass().getName() + " is no structure of this library");
  }

  @Override
  public String toString() {
    return "structure at " + Reference.describe(reference);
  }
}
